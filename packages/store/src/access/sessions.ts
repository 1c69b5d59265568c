import {
  requestError,
  cleanText,
  type ActiveSession,
  type NewSession,
  type Sessions,
} from "@bron/core";
import { type SessionView, isUuid } from "@bron/protocol";
import type pg from "pg";
import { inTransaction } from "../database/database.ts";
import { wrapDatabaseErrors } from "../database/database-errors.ts";

const maxUserAgent = 300;

const active = `ended_at is null and expires_at > clock_timestamp()`;

const columns = `insert into sessions (id, owner_id, secret_hash, via, user_agent, expires_at)`;

/**
 * Each sign-in deletes a few expired sessions. They are kept for one day, so that a machine with a
 * slow clock cannot admit one again.
 */
const sweep = `delete from sessions
  where id in (select id from sessions where expires_at < clock_timestamp() - interval '1 day' limit 100 for update skip locked)`;

const ended = `ended as (update sessions set ended_at = clock_timestamp() where owner_id = $1 and ${active} and`;
const noted = `noted as (insert into audit (owner_id, what, by, details)
  select $1, 'session.ended', 'owner', jsonb_build_object('sessionId', id, 'via', via) from ended)`;

export function postgresSessions(pool: pg.Pool): Sessions {
  const ensureOwner = (ownerId: string) =>
    pool.query(`insert into owners (id) values ($1) on conflict do nothing`, [ownerId]);
  const valuesOf = ({ id, ownerId, secretHash, via, userAgent }: NewSession) => [
    id,
    ownerId,
    secretHash,
    via,
    cleanText(userAgent.slice(0, maxUserAgent)),
  ];
  return wrapDatabaseErrors<Sessions>({
    async add(session) {
      await ensureOwner(session.ownerId);
      await pool.query(
        `with swept as (${sweep}) ${columns} values ($1, $2, $3, $4, $5, clock_timestamp() + $6::float8 * interval '1 millisecond')`,
        [...valuesOf(session), session.lifeMs],
      );
    },
    async admit(session) {
      await ensureOwner(session.ownerId);
      // The row lock orders this before or after a concurrent `endOthers`.
      await pool.query(
        `with owner as (select sessions_after from owners where id = $2 for share), swept as (${sweep})
         ${columns} select $1, $2, $3, $4, $5, to_timestamp($7::float8 / 1000) from owner
         where to_timestamp($7::float8 / 1000) > clock_timestamp() and to_timestamp($6::float8 / 1000) >= coalesce(sessions_after, '-infinity')
         on conflict (secret_hash) do nothing`,
        [...valuesOf(session), session.signedInAt, session.expiresAt],
      );
    },
    async find(secretHash) {
      const { rows } = await pool.query<ActiveSession>({
        name: "bron-session-1",
        text: `
          with seen as (update sessions set last_seen_at = clock_timestamp() where secret_hash = $1
            and ${active} and last_seen_at < clock_timestamp() - interval '1 minute')
          select id, owner_id as "ownerId", via from sessions where secret_hash = $1 and ${active}`,
        values: [secretHash],
      });
      return rows[0];
    },
    list: (ownerId) => listSessions(pool, ownerId),
    async end(ownerId, id) {
      const removed = isUuid(id)
        ? (
            await pool.query(
              `with ${ended} id = $2 returning id, via), ${noted} select id from ended`,
              [ownerId, id],
            )
          ).rowCount
        : 0;
      if (removed === 0) throw requestError("not_found", { code: "session_missing" });
    },
    async endOthers(ownerId, keepId) {
      await ensureOwner(ownerId);
      return await endOtherSessions(pool, ownerId, keepId);
    },
    async validAfter(ownerId) {
      const { rows } = await pool.query<{ at: Date | null }>(
        `select sessions_after as at from owners where id = $1`,
        [ownerId],
      );
      return rows[0]?.at?.getTime() ?? 0;
    },
  });
}

async function listSessions(
  pool: pg.Pool,
  ownerId: string,
): Promise<Omit<SessionView, "current">[]> {
  const { rows } = await pool.query<SessionRow>(
    `select id, via, user_agent as "userAgent", created_at as "createdAt", last_seen_at as "lastSeenAt",
      expires_at as "expiresAt" from sessions where owner_id = $1 and ${active} order by last_seen_at desc`,
    [ownerId],
  );
  return rows.map((row) => ({
    ...row,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  }));
}

/** Also rejects sign-ins that began before. Returns the ids of the ended sessions. */
async function endOtherSessions(
  pool: pg.Pool,
  ownerId: string,
  keepId: string | undefined,
): Promise<string[]> {
  return await inTransaction(pool, async ({ client }) => {
    await client.query(`update owners set sessions_after = clock_timestamp() where id = $1`, [
      ownerId,
    ]);
    const keptId = keepId !== undefined && isUuid(keepId) ? keepId : null;
    const { rows } = await client.query<{ id: string }>(
      `with ${ended} id is distinct from $2::uuid returning id, via), ${noted} select id from ended`,
      [ownerId, keptId],
    );
    return rows.map(({ id }) => id);
  });
}

type SessionRow = Pick<SessionView, "id" | "via" | "userAgent"> &
  Readonly<Record<"createdAt" | "lastSeenAt" | "expiresAt", Date>>;
