import {
  threadNotFound,
  type OlderSummary,
  type Profile,
  type ThreadChanges,
  type ThreadMessage,
  type Threads,
} from "@bron/core";
import { isUuid, omitUndefined } from "@bron/protocol";
import { sql, type Kysely } from "kysely";
import { inTransaction, type OpenDatabase } from "../database/database.ts";
import type { Database } from "../database/schema.ts";
import { deleteThread } from "./delete-thread.ts";
import { listThreads } from "./list-threads.ts";
import { hasRoom, toWords } from "./task-words.ts";

export function postgresThreads({ pool, db }: Pick<OpenDatabase, "pool" | "db">): Threads {
  return {
    list: (ownerId, options) => listThreads(pool, ownerId, options),

    async get(ownerId, threadId) {
      if (!isUuid(threadId)) return undefined;
      const idPrefix = threadId.toLowerCase();
      return (await listThreads(pool, ownerId, { idPrefix, limit: 1 }))[0];
    },

    async update(ownerId, threadId, changes) {
      const found = isUuid(threadId) && (await updateThread(db, { ownerId, threadId }, changes));
      if (!found) throw threadNotFound(threadId);
    },

    async delete(ownerId, threadId) {
      if (!isUuid(threadId)) throw threadNotFound(threadId);
      await inTransaction(pool, (transaction) =>
        deleteThread(transaction.db, ownerId, threadId.toLowerCase()),
      );
    },

    async tail(ownerId, threadId, beforeRunId, limit) {
      const { rows } = await pool.query<TailRow>({
        name: "bron-tail-4",
        text: tailStatement,
        values: [ownerId, threadId, beforeRunId, limit],
      });
      const messages = rows.flatMap(({ id, role, content, trusted, asTyped }) =>
        id === null ? [] : [{ id, role, content, trusted, ...(asTyped ? { asTyped } : {}) }],
      );
      const older = rows[0]?.older ?? undefined;
      return { messages: messages.toReversed(), ...omitUndefined({ older }) };
    },

    async typedBefore(ownerId, threadId, beforeRunId, limit) {
      const { rows } = await pool.query<{ content: string; asTyped: boolean }>({
        name: "bron-typed-before-1",
        text: `
          select content, as_typed as "asTyped" from bron_messages
          where owner_id = $1 and thread_id = $2 and role = 'user' and trusted
            and id < (select min(own.id) from bron_messages own where own.thread_id = $2 and own.run_id = $3 and own.owner_id = $1)
          order by id desc limit $4`,
        values: [ownerId, threadId, beforeRunId, limit],
      });
      return rows
        .toReversed()
        .map(({ content, asTyped }) => (asTyped ? { content, asTyped } : { content }));
    },

    async profile(ownerId, bronId) {
      const { rows } = await pool.query<Profile>({
        name: "bron-profile-2",
        text: `select system_prompt as persona, persona_source as "personaSource", memory_summary as "aboutUser" from brons where id = $1 and owner_id = $2`,
        values: [bronId, ownerId],
      });
      return rows[0];
    },
  };
}

interface TailRow {
  readonly older: OlderSummary | null;
  /** Null in the one row of a thread without such messages. */
  readonly id: string | null;
  readonly role: ThreadMessage["role"];
  readonly content: string;
  readonly trusted: boolean;
  readonly asTyped: boolean;
}

/** A run that began before a later run summarized its messages does not get that summary. */
const tailStatement = `
  select case when t.older_up_to < own.id then json_build_object(
      'text', t.older_summary, 'upTo', t.older_up_to::text, 'trusted', t.older_trusted) end as older, m.*
  from threads t
  cross join lateral (
    select min(own.id) as id from bron_messages own where own.thread_id = $2 and own.run_id = $3 and own.owner_id = $1) own
  left join lateral (
    select said.id::text, said.role, said.content, said.trusted, said.as_typed as "asTyped" from bron_messages said
    where said.owner_id = $1 and said.thread_id = $2 and said.role in ('user', 'assistant') and said.id < own.id
    order by said.id desc limit $4) m on true
  where t.id = $2 and t.owner_id = $1`;

/** Returns whether the thread exists. Its tasks are found by the new title from now on. */
async function updateThread(
  db: Kysely<Database>,
  { ownerId, threadId }: { readonly ownerId: string; readonly threadId: string },
  { title = null, archived = null, pinned = null }: Nullable<ThreadChanges>,
): Promise<boolean> {
  const { rows } = await sql`
    with changed as (
      update threads set title = coalesce(${title}, title),
        archived_at = case when ${archived}::boolean then coalesce(archived_at, clock_timestamp()) when ${archived}::boolean is null then archived_at end,
        pinned_at = case when ${pinned}::boolean then coalesce(pinned_at, clock_timestamp()) when ${pinned}::boolean is null then pinned_at end
      where id = ${threadId} and owner_id = ${ownerId} and updated_at is not null
      returning id
    ), words as (
      update task_words t set words = t.words || ${sql.raw(toWords("named.title"))}
      from changed, (select ${title}::text as title) named
      where named.title is not null and t.thread_id = changed.id and t.owner_id = ${ownerId} and ${sql.raw(hasRoom("t"))}
    ) select id from changed`.execute(db);
  return rows.length > 0;
}

type Nullable<T> = { readonly [K in keyof T]?: T[K] | null };
