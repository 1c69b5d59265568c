import { threadNotFound, type ListThreads, type Threads } from "@bron/core";
import { isParked, isUuid, runStates, type ThreadView } from "@bron/protocol";
import type pg from "pg";
import { inTransaction, type OpenDatabase } from "../database/database.ts";
import { deleteThread } from "./delete-thread.ts";
import { toThreadView, type ThreadRow } from "./rows.ts";
import { uuidRange } from "./uuid-range.ts";
import { byUrgency, waitsForOf } from "../runs/waits-for.ts";

export function postgresThreads({ pool, db }: Pick<OpenDatabase, "pool" | "db">): Threads {
  return {
    list: (ownerId, options) => listThreads(pool, ownerId, options),

    async get(ownerId, threadId) {
      if (!isUuid(threadId)) return undefined;
      const idPrefix = threadId.toLowerCase();
      return (await listThreads(pool, ownerId, { idPrefix, limit: 1 }))[0];
    },

    async rename(ownerId, threadId, title) {
      const query = db
        .updateTable("threads")
        .set({ title })
        .where("id", "=", threadId)
        .where("owner_id", "=", ownerId)
        .where("updated_at", "is not", null);
      const updated = isUuid(threadId) ? (await query.executeTakeFirst()).numUpdatedRows : 0n;
      if (updated === 0n) throw threadNotFound(threadId);
    },

    async delete(ownerId, threadId) {
      if (!isUuid(threadId)) throw threadNotFound(threadId);
      await inTransaction(pool, (transaction) =>
        deleteThread(transaction.db, ownerId, threadId.toLowerCase()),
      );
    },

    async tail(ownerId, threadId, beforeRunId, limit) {
      const { rows } = await pool.query<{
        role: "user" | "assistant";
        content: string;
        trusted: boolean;
        asTyped: boolean;
      }>({
        name: "bron-tail-3",
        text: `
          select role, content, trusted, as_typed as "asTyped" from bron_messages
          where owner_id = $1 and thread_id = $2 and role in ('user', 'assistant')
            and id < (select min(own.id) from bron_messages own where own.thread_id = $2 and own.run_id = $3 and own.owner_id = $1)
          order by id desc limit $4`,
        values: [ownerId, threadId, beforeRunId, limit],
      });
      return rows
        .toReversed()
        .map(({ asTyped, ...message }) => (asTyped ? { ...message, asTyped } : message));
    },

    async profile(ownerId, bronId) {
      const { rows } = await pool.query<{ persona: string; aboutUser: string }>({
        name: "bron-profile-1",
        text: `select system_prompt as persona, memory_summary as "aboutUser" from brons where id = $1 and owner_id = $2`,
        values: [bronId, ownerId],
      });
      return rows[0];
    },
  };
}

async function listThreads(
  pool: pg.Pool,
  ownerId: string,
  { idPrefix, limit, before }: ListThreads,
): Promise<ThreadView[]> {
  const range = idPrefix === undefined ? undefined : uuidRange(idPrefix);
  if (idPrefix !== undefined && !range) return [];
  const conditions = [
    ...(range ? ["t.id between $3::uuid and $4::uuid"] : []),
    ...(before
      ? [`(t.updated_at, t.id) < ($${range ? 5 : 3}::timestamptz, $${range ? 6 : 4}::uuid)`]
      : []),
  ];
  const { rows } = await pool.query<ThreadRow>({
    name: `bron-threads-2-${range ? "range" : "all"}-${before ? "after" : "first"}`,
    text: threadsStatement(conditions.map((condition) => ` and ${condition}`).join("")),
    values: [
      ownerId,
      limit,
      ...(range ? [range.first, range.last] : []),
      ...(before ? [before.updatedAt, before.id] : []),
    ],
  });
  return rows.map(toThreadView);
}

const parkedStates = runStates
  .filter(isParked)
  .map((status) => `'${status}'`)
  .join(", ");

/**
 * Few runs wait for the owner, so the statement starts from these and finds the threads of their
 * parent runs.
 */
const threadsStatement = (conditions: string) => `
with recursive page as materialized (
  select t.id, t.bron_id, t.title, t.created_at, t.updated_at from threads t
  where t.owner_id = $1 and t.updated_at is not null${conditions}
  order by t.updated_at desc, t.id desc limit $2
), waiting as (
  select r.parent_run_id, r.thread_id from runs r
  where r.owner_id = $1 and r.finished_at is null
    and (r.status in (${parkedStates}) or exists (select from approvals a where a.owner_id = $1 and a.run_id = r.id and a.state = 'pending')
      or exists (select from questions q where q.run_id = r.id and q.state = 'pending'))
  union select p.parent_run_id, p.thread_id from waiting join runs p on p.id = waiting.parent_run_id and p.owner_id = $1
)
select page.*, newest.*, (select w.waits_for
  from (select ${waitsForOf("r")} as waits_for from runs r where r.thread_id = page.id
  and r.finished_at is null) w where w.waits_for is not null order by ${byUrgency("w.waits_for")}
  limit 1) as waits_for, (select count(*) from runs c where c.thread_id = page.id) as run_count,
  page.id in (select waiting.thread_id from waiting) as waits_for_owner
from page cross join lateral (select r.status, r.id as run_id, r.title as run_title, r.not_done, r.outcome
  from runs r where r.thread_id = page.id order by r.created_at desc, r.id desc limit 1) newest
order by page.updated_at desc, page.id desc`;
