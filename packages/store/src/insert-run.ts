import { cleanText, type NewRun } from "@bron/core";
import { logVersion, type NewEvent } from "@bron/protocol";
import type { Selectable } from "kysely";
import { randomUUID } from "node:crypto";
import type pg from "pg";
import { toJson } from "./database.ts";
import type { Database } from "./schema.ts";

/** An existing thread, or a new one with this Bron or the owner's default one. */
export type RunPlace = { readonly threadId: string } | { readonly bronId?: string };

/** Run, first events, the user's message and, unless it is named, the thread. Undefined if thread or Bron are not there. */
export async function insertRun(client: Pick<pg.PoolClient, "query">, run: NewRun, place: RunPlace): Promise<Selectable<Database["runs"]> | undefined> {
  const { ownerId, input } = run;
  const prompt = cleanText(input.prompt);
  const events: NewEvent[] = [
    { type: "status", payload: { status: "queued", ...(run.retry ? { retry: run.retry } : {}) } },
    { type: "message", payload: { role: "user", content: prompt } },
  ];
  const isNew = !("threadId" in place);
  const { rows } = await client.query<Selectable<Database["runs"]>>({
    name: `bron-create-2-${isNew ? "new" : "known"}`,
    text: isNew ? inNewThread : inThread,
    values: [
      ...[randomUUID(), ownerId, isNew ? randomUUID() : place.threadId, isNew ? (place.bronId ?? null) : null, run.parentRunId ?? null, cleanText(run.title), prompt, toJson(input.attachedContext ?? []), toJson(run.caps)],
      ...[run.idempotencyKey ?? null, logVersion, events.length, toJson(events), input.delayMs ?? 0, run.retry?.runId ?? null],
    ],
  });
  return rows[0];
}

// Whoever wakes it also starts it; sweepers leave it alone for a moment (swept_at).
const rest = `,
run as (
  insert into runs (id, owner_id, bron_id, thread_id, parent_run_id, retry_of, title, prompt, attached_context, caps, idempotency_key, status, log_version, last_seq, runnable, wakes, swept_at, wake_at)
  select $1::uuid, $2::text, thread.bron_id, thread.id, $5::uuid, $15::uuid, $6::text, $7::text, coalesce((select before.attached_context from runs before where before.id = $15::uuid and before.owner_id = $2::text), $8::jsonb), $9::jsonb, $10::text, 'queued', $11::int, $12::int, true, 1, clock_timestamp(),
    case when $14::bigint > 0 then clock_timestamp() + $14::bigint * interval '1 millisecond' end
  from thread
  returning *
),
log as (insert into run_log (run_id, seq, owner_id, events, created_at) select run.id, run.last_seq, run.owner_id, $13::json, clock_timestamp() from run),
message as (insert into bron_messages (owner_id, bron_id, thread_id, run_id, role, content, trusted) select run.owner_id, run.bron_id, run.thread_id, run.id, 'user', run.prompt, true from run)
select * from run`;

const inNewThread = `
with bron as (select id from brons where owner_id = $2::text and case when $4::uuid is null then is_default else id = $4::uuid end),
thread as (insert into threads (id, owner_id, bron_id, title) select $3::uuid, $2::text, bron.id, '' from bron returning id, bron_id)${rest}`;

const inThread = `
with thread as (select id, bron_id from threads where id = $3::uuid and owner_id = $2::text and $4::uuid is null)${rest}`;
