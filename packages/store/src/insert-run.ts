import { cleanText, type NewRun } from "@bron/core";
import { logVersion, type EventPayloads, type NewEvent } from "@bron/protocol";
import type { Selectable } from "kysely";
import { randomUUID } from "node:crypto";
import type pg from "pg";
import { toJson } from "./database.ts";
import type { Database } from "./schema.ts";

/** An existing thread, or a new one with this Bron or the owner's default Bron. */
export type TargetThread = { readonly threadId: string } | { readonly bronId?: string };

/**
 * Inserts the run, its first events, the user's message and, unless it exists, the thread. Returns
 * undefined if the thread or the Bron does not exist. The caller writes the rows of the files.
 */
export async function insertRun(
  client: Pick<pg.PoolClient, "query">,
  run: NewRun,
  target: TargetThread,
  files: readonly EventPayloads["artifact"][] = [],
): Promise<Selectable<Database["runs"]> | undefined> {
  const { ownerId, input } = run;
  const prompt = cleanText(input.prompt);
  const events: NewEvent[] = [
    {
      type: "status",
      payload: {
        status: "queued",
        ...(run.retry ? { retry: run.retry } : {}),
        ...(run.parent ? { parentRunId: run.parent.runId } : {}),
      },
    },
    {
      type: "message",
      payload: {
        role: "user",
        content: prompt,
        ...(run.parent ? { from: "parent", trusted: run.parent.trusted === true } : {}),
      },
    },
    ...files.map((payload) => ({ type: "artifact" as const, payload })),
  ];
  const isNew = !("threadId" in target);
  const earlier =
    run.earlier?.map(({ role, content }) => ({ role, content: cleanText(content) })) ?? [];
  const { rows } = await client.query<Selectable<Database["runs"]>>({
    name: `bron-create-5-${isNew ? "new" : "known"}${earlier.length > 0 ? "-earlier" : ""}`,
    text: `${isNew ? inNewThread : inThread}${insertStatement(earlier.length > 0 ? "earlier" : "nothing")}`,
    values: [
      randomUUID(),
      ownerId,
      isNew ? randomUUID() : target.threadId,
      isNew ? (target.bronId ?? null) : null,
      run.parent?.runId ?? null,
      cleanText(run.title),
      prompt,
      toJson(input.attachedContext ?? []),
      toJson(run.caps),
      run.idempotencyKey ?? null,
      logVersion,
      events.length,
      toJson(events),
      input.delayMs ?? 0,
      run.retry?.runId ?? null,
      ...(earlier.length > 0 ? [toJson(earlier)] : []),
    ],
  });
  return rows[0];
}

// The process that wakes the run also starts it. Because of swept_at, sweepers ignore it for a
// moment.
const insertStatement = (before: "earlier" | "nothing") => `,
run as (
  insert into runs (id, owner_id, bron_id, thread_id, parent_run_id, retry_of, title, prompt, attached_context, caps, idempotency_key, status, log_version, last_seq, runnable, wakes, swept_at, wake_at)
  select $1::uuid, $2::text, thread.bron_id, thread.id, $5::uuid, $15::uuid, $6::text, $7::text, coalesce((select before.attached_context from runs before where before.id = $15::uuid and before.owner_id = $2::text), $8::jsonb), $9::jsonb, $10::text, 'queued', $11::int, $12::int, true, 1, clock_timestamp(),
    case when $14::bigint > 0 then clock_timestamp() + $14::bigint * interval '1 millisecond' end
  from thread
  returning *
),
log as (insert into run_log (run_id, seq, owner_id, events, created_at) select run.id, run.last_seq, run.owner_id, $13::json, clock_timestamp() from run),
message as (insert into bron_messages (owner_id, bron_id, thread_id, run_id, role, content, trusted) ${before === "earlier" ? withEarlierMessages : "select run.owner_id, run.bron_id, run.thread_id, run.id, 'user', run.prompt, coalesce(($13::json -> 1 -> 'payload' ->> 'trusted')::boolean, true) from run"})
select * from run`;

// The messages of an existing thread take precedence. A client's messages are used only for a new
// thread. An assistant's message from a client may contain anyone's text, so it is not trusted.
const withEarlierMessages = `
  select run.owner_id, run.bron_id, run.thread_id, words.run_id, words.role, words.content, words.role = 'user'
  from run cross join lateral (
    select null::uuid as run_id, e.value ->> 'role' as role, e.value ->> 'content' as content, e.place from jsonb_array_elements($16::jsonb) with ordinality as e (value, place)
    where not exists (select from bron_messages known where known.thread_id = run.thread_id)
    union all select run.id, 'user', run.prompt, 1000000
  ) words order by words.place`;

const inNewThread = `
with bron as (select id from brons where owner_id = $2::text and case when $4::uuid is null then is_default else id = $4::uuid end),
thread as (insert into threads (id, owner_id, bron_id, title) select $3::uuid, $2::text, bron.id, '' from bron returning id, bron_id)`;

const inThread = `
with thread as (select id, bron_id from threads where id = $3::uuid and owner_id = $2::text and $4::uuid is null)`;
