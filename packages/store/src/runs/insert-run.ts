import {
  cleanText,
  contextNote,
  contextOf,
  deservesSummary,
  firstEvents,
  isTrustedPrompt,
  type NewRun,
} from "@bron/core";
import { logVersion, type EventPayloads } from "@bron/protocol";
import type { Selectable } from "kysely";
import { randomUUID } from "node:crypto";
import type pg from "pg";
import { toJson } from "../database/database.ts";
import type { Database } from "../database/schema.ts";
import { ownerWord, toWords } from "../tables/task-words.ts";

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
  const events = firstEvents(run, prompt, files);
  const isNew = !("threadId" in target);
  const context = contextOf(events);
  const others = [
    ...(run.earlier?.map(({ role, content }) => ({ role, content: cleanText(content) })) ?? []),
    ...(context.length > 0 ? [{ role: "context", content: contextNote(context) }] : []),
  ];
  const values: Record<Parameter, unknown> = {
    id: randomUUID(),
    owner: ownerId,
    thread: isNew ? randomUUID() : target.threadId,
    bron: isNew ? (target.bronId ?? null) : null,
    parent: run.parent?.runId ?? null,
    retryOf: run.retry?.runId ?? null,
    title: cleanText(run.title),
    prompt,
    trusted: isTrustedPrompt(run),
    asTyped: run.asTyped === true,
    attachedContext: toJson(input.attachedContext ?? []),
    caps: toJson(run.caps),
    idempotencyKey: run.idempotencyKey ?? null,
    logVersion,
    eventCount: events.length,
    events: toJson(events),
    delayMs: input.delayMs ?? 0,
    place: input.place ? toJson(input.place) : null,
    kind: run.kind ?? "task",
    upkeepDue: deservesSummary(run),
    schedule: run.schedule?.id ?? null,
    dueAt: run.schedule?.dueAt ?? null,
    maxTrustLevel: run.maxTrustLevel ?? null,
  };
  const { rows } = await client.query<Selectable<Database["runs"]>>({
    name: `bron-create-14-${isNew ? "new" : "known"}${others.length > 0 ? "-others" : ""}`,
    text: `${isNew ? inNewThread : inThread}${insertStatement(others.length > 0 ? severalMessages : onlyPrompt)}`,
    values: [
      ...parameters.map(([name]) => values[name]),
      ...(others.length > 0 ? [toJson(others)] : []),
    ],
  });
  return rows[0];
}

/** The parameters of the statement, in order. Only some texts have one more, the other messages. */
const parameters = [
  ["id", "uuid"],
  ["owner", "text"],
  ["thread", "uuid"],
  ["bron", "uuid"],
  ["parent", "uuid"],
  ["retryOf", "uuid"],
  ["title", "text"],
  ["prompt", "text"],
  ["trusted", "boolean"],
  ["asTyped", "boolean"],
  ["attachedContext", "jsonb"],
  ["caps", "jsonb"],
  ["idempotencyKey", "text"],
  ["logVersion", "int"],
  ["eventCount", "int"],
  ["events", "json"],
  ["delayMs", "bigint"],
  ["place", "jsonb"],
  ["kind", "text"],
  ["upkeepDue", "boolean"],
  ["schedule", "uuid"],
  ["dueAt", "timestamptz"],
  ["maxTrustLevel", "text"],
] as const;
type Parameter = (typeof parameters)[number][0];

/** `$1::uuid` and so on, by name. */
const p = Object.fromEntries(
  parameters.map(([name, type], index) => [name, `$${index + 1}::${type}`]),
) as Record<Parameter, string>;
const otherMessages = `$${parameters.length + 1}::jsonb`;

/** A Bron can lower what one of its runs may cost. */
const capsOfBron = `(select case when b.max_cost_microusd is null then ${p.caps}
    else ${p.caps} || jsonb_build_object('costMicrousd', least(b.max_cost_microusd, (${p.caps} ->> 'costMicrousd')::bigint)) end
    from brons b where b.id = thread.bron_id)`;

const cappedAncestors = `
  select above.capped_ancestors || case when above.caps ?| array['costMicrousd', 'steps'] then array[above.id] else '{}' end
  from runs above where above.id = ${p.parent} and above.owner_id = ${p.owner}`;

// The process that wakes the run also starts it. Because of swept_at, sweepers ignore it for a
// moment.
const insertStatement = (messages: string) => `,
run as (
  insert into runs (id, owner_id, bron_id, thread_id, parent_run_id, retry_of, title, prompt, attached_context,
    caps, capped_ancestors, idempotency_key, status, log_version, last_seq, runnable, wakes, swept_at, wake_at, place,
    schedule_id, due_at, schedule_open, max_trust_level, kind, upkeep_due)
  select ${p.id}, ${p.owner}, thread.bron_id, thread.id, ${p.parent}, ${p.retryOf}, ${p.title}, ${p.prompt},
    coalesce((select before.attached_context from runs before where before.id = ${p.retryOf} and before.owner_id = ${p.owner}), ${p.attachedContext}),
    ${capsOfBron}, coalesce((${cappedAncestors}), '{}'), ${p.idempotencyKey}, 'queued', ${p.logVersion}, ${p.eventCount}, true, 1, clock_timestamp(),
    case when ${p.delayMs} > 0 then clock_timestamp() + ${p.delayMs} * interval '1 millisecond' end, ${p.place},
    ${p.schedule}, ${p.dueAt}, ${p.schedule} is not null, coalesce(${p.maxTrustLevel},
      (select before.max_trust_level from runs before where before.id = coalesce(${p.parent}, ${p.retryOf}) and before.owner_id = ${p.owner})), ${p.kind}, ${p.upkeepDue}
  from thread
  returning *
),
log as (insert into run_log (run_id, seq, owner_id, events, created_at) select run.id, run.last_seq, run.owner_id, ${p.events}, clock_timestamp() from run),
words as (
  insert into task_words (run_id, owner_id, thread_id, words)
  select run.id, run.owner_id, coalesce((select above.thread_id from task_words above where above.run_id = ${p.parent}), run.thread_id),
    array_to_tsvector(array[${ownerWord("run.owner_id")}]) || ${toWords("concat_ws(' ', run.title, thread.title, run.prompt)")}
  from run, thread
),
message as (insert into bron_messages (owner_id, bron_id, thread_id, run_id, role, content, trusted, as_typed) ${messages})
select * from run`;

const onlyPrompt = `
  select run.owner_id, run.bron_id, run.thread_id, run.id, 'user', run.prompt, ${p.trusted}, ${p.asTyped} from run`;

// The messages of an existing thread take precedence. A client's messages are used only for a new
// thread. An assistant's message from a client may contain anyone's text, so it is not trusted, and
// neither is a user's message from a program that does not speak for the owner. The
// context of the task comes after it.
const severalMessages = `
  select run.owner_id, run.bron_id, run.thread_id, words.run_id, words.role, words.content, words.trusted, words.as_typed
  from run cross join lateral (
    select null::uuid as run_id, e.value ->> 'role' as role, e.value ->> 'content' as content,
      e.value ->> 'role' = 'user' and ${p.trusted} as trusted, false as as_typed, e.place
    from jsonb_array_elements(${otherMessages}) with ordinality as e (value, place)
    where e.value ->> 'role' <> 'context' and not exists (select from bron_messages known where known.thread_id = run.thread_id)
    union all select run.id, 'user', run.prompt, ${p.trusted}, ${p.asTyped}, 1000000
    union all select run.id, 'user', e.value ->> 'content', false, false, 1000001
    from jsonb_array_elements(${otherMessages}) as e (value) where e.value ->> 'role' = 'context'
  ) words order by words.place`;

const now = "date_trunc('milliseconds', clock_timestamp())";

const inNewThread = `
with bron as (select id from brons where owner_id = ${p.owner} and case when ${p.bron} is null then is_default else id = ${p.bron} end and archived_at is null),
thread as (insert into threads (id, owner_id, bron_id, title, updated_at)
  select ${p.thread}, ${p.owner}, bron.id, ${p.title}, ${now} from bron returning id, bron_id, title)`;

// The update also waits for a deletion of the thread, and then finds none.
const inThread = `
with thread as (
  update threads set
    updated_at = case when ${p.parent} is null and ${p.kind} = 'task' then ${now} else updated_at end,
    title = case when ${p.parent} is null and ${p.kind} = 'task' and title = '' then ${p.title} else title end,
    archived_at = case when ${p.parent} is not null then archived_at end
  where id = ${p.thread} and owner_id = ${p.owner} and ${p.bron} is null
  returning id, bron_id, title
)`;
