import type pg from "pg";

interface SeedOrder {
  readonly ownerId: string;
  readonly runs: number;
  readonly logRowsPerRun: number;
}

/** One of this many runs is in this state. All others have completed. */
const everyNth = {
  failed: 100,
  canceled: 100,
  awaitingConfirmation: 1_000,
  executing: 2_000,
  awaitingAuth: 10_000,
  part: 50,
  approval: 2,
} as const;
const actionsPerRun = 4;

/** The id that the seed gives to an owner's nth run, thread, action, effect, approval or Bron. */
export async function seededId(
  client: Queryable,
  ownerId: string,
  kind: string,
  place: number | string,
): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    "select md5($1 || ' ' || $2 || ' ' || $3)::uuid as id",
    [ownerId, kind, String(place)],
  );
  return rows[0]?.id ?? "";
}

type Queryable = Pick<pg.Pool | pg.ClientBase, "query">;

/**
 * Fills an empty database, whose schema is up to date, with a year of an owner's runs: their logs,
 * actions, effects, approvals, messages and audit rows. Every value is derived from its number, so
 * that two seeds differ only in the day on which they were made. No seeded run is runnable.
 */
export async function seedRuns(
  client: Queryable,
  { ownerId, runs, logRowsPerRun }: SeedOrder,
): Promise<void> {
  const id = (kind: string, place = "n::text") => `md5('${ownerId} ${kind} ' || ${place})::uuid`;
  const at = `(date_trunc('day', now()) - interval '1 day' - (${runs} - n) * (interval '364 days' / ${runs}))`;
  const status = `case when n % ${everyNth.failed} = 1 then 'failed' when n % ${everyNth.canceled} = 2 then 'canceled' when n % ${everyNth.awaitingConfirmation} = 3 then 'awaiting_confirmation'
    when n % ${everyNth.executing} = 4 then 'executing' when n % ${everyNth.awaitingAuth} = 5 then 'awaiting_auth' else 'completed' end`;
  const isOver = `status in ('completed', 'failed', 'canceled')`;
  const ofRuns = `(select n, ${status} as status, ${at} as at from generate_series(1, ${runs}) n) seeded`;
  const asksForApproval = `(n % ${everyNth.approval} = 0 or status = 'awaiting_confirmation')`;
  const words = `repeat(md5(n::text) || ' ', 6)`;
  const statements = [
    `insert into owners (id) values ('${ownerId}') on conflict do nothing`,
    `insert into brons (id, owner_id, name, avatar_color, system_prompt, is_default) select ${id("bron")}, '${ownerId}', 'Bron ' || n, '#336699', '', n = 0 from generate_series(0, 9) n`,
    `insert into threads (id, owner_id, bron_id, title, created_at, updated_at) select ${id("thread")}, '${ownerId}', ${id("bron", "(n % 10)::text")}, 'task ' || n, at, case when n % ${everyNth.part} <> 7 then at end from ${ofRuns}`,
    `insert into runs (id, owner_id, bron_id, thread_id, parent_run_id, reported_status, title, prompt, attached_context, caps, status, final_status, summary, log_version, last_seq, runnable, wakes, spent_microusd, input_tokens, output_tokens, created_at, started_at, finished_at)
     select ${id("run")}, '${ownerId}', ${id("bron", "(n % 10)::text")}, ${id("thread")}, case when n % ${everyNth.part} = 7 then ${id("run", "(n - 1)::text")} end, case when ${isOver} then 'over' else 'running' end,
       'task ' || n, 'Do task ' || n || ' of the seed.', '[]', '{}', status, case when ${isOver} then status end, case when ${isOver} then 'Task ' || n || ' is done.' end, 1, ${logRowsPerRun * 2}, false, 1,
       n % 1000, 900 + n % 100, 90 + n % 10, at, at + interval '1 second', case when ${isOver} then at + interval '20 seconds' end
     from ${ofRuns} order by n`,
    `insert into run_log (run_id, seq, owner_id, events, created_at)
     select ${id("run")}, place * 2, '${ownerId}', json_build_array(json_build_object('type', 'log', 'payload', json_build_object('level', 'info', 'message', ${words})), json_build_object('type', 'log', 'payload', json_build_object('level', 'info', 'message', ${words}))), at + place * interval '1 second'
     from ${ofRuns}, generate_series(1, ${logRowsPerRun}) place order by n, place`,
    `insert into actions (id, run_id, owner_id, step, call_id, tool, state, created_at, updated_at)
     select ${id("action", "n || ' ' || step")}, ${id("run")}, '${ownerId}', step, 'call_' || step, 'gmail_search', 'completed', at + step * interval '1 second', at + step * interval '1 second' from ${ofRuns}, generate_series(1, ${actionsPerRun}) step order by n, step`,
    `insert into effects (id, run_id, owner_id, action_id, tool, state, digest, prepared, attempts, created_at, updated_at)
     select ${id("effect")}, ${id("run")}, '${ownerId}', ${id("action", "n || ' 1'")}, 'gmail_send', case when ${isOver} then 'completed' else 'awaiting_confirmation' end, 'sha256:' || n, json_build_object('text', ${words})::jsonb, 1, at, at from ${ofRuns} where ${asksForApproval} order by n`,
    `insert into approvals (id, run_id, owner_id, action_id, effect_id, tool, state, digest, reasons, preview, created_at, expires_at, decided_at)
     select ${id("approval")}, ${id("run")}, '${ownerId}', ${id("action", "n || ' 1'")}, ${id("effect")}, 'gmail_send', case when ${isOver} then (case when n % 3 = 0 then 'denied' else 'used' end) else 'pending' end, 'sha256:' || n, '["because"]', ${words}, at, now() + interval '3 days', case when ${isOver} then at + interval '10 seconds' end
     from ${ofRuns} where ${asksForApproval} order by n`,
    `insert into bron_messages (owner_id, bron_id, thread_id, run_id, role, content, trusted, created_at)
     select '${ownerId}', ${id("bron", "(n % 10)::text")}, ${id("thread")}, ${id("run")}, role, ${words}, true, at from ${ofRuns}, unnest(array['user', 'assistant']) role order by n`,
    `insert into task_words (run_id, owner_id, thread_id, words)
     select ${id("run")}, '${ownerId}', ${id("thread", `(case when n % ${everyNth.part} = 7 then n - 1 else n end)::text`)}, array_to_tsvector(array['=' || md5('${ownerId}'), 'task', n::text, md5(n::text)]) from ${ofRuns} order by n`,
    `insert into audit (owner_id, what, by, run_id, tool, details, created_at)
     select '${ownerId}', 'approval.used', 'owner', ${id("run")}, 'gmail_send', '{}', at from ${ofRuns} where n % ${everyNth.approval} = 0 order by n`,
  ];
  for (const statement of statements) await client.query(statement);
  for (const table of [
    "owners",
    "brons",
    "threads",
    "runs",
    "run_log",
    "actions",
    "effects",
    "approvals",
    "bron_messages",
    "task_words",
    "audit",
  ])
    await client.query(`vacuum analyze ${table}`);
}

/** Adds actions to one seeded run, as a long task has them. */
export async function seedActions(
  client: Queryable,
  runId: string,
  ownerId: string,
  count: number,
): Promise<void> {
  await client.query(
    `insert into actions (id, run_id, owner_id, step, call_id, tool, state) select md5($1::text || ' ' || n)::uuid, $1::uuid, $2, n, 'call_' || n, 'gmail_search', 'completed' from generate_series(1, $3::int) n`,
    [runId, ownerId, count],
  );
}
