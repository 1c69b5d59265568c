import { cleanText, requestError, type ActiveToken, type ApiTokens } from "@bron/core";
import { type TokenView, isUuid } from "@bron/protocol";
import type pg from "pg";
import { inTransaction } from "../database/database.ts";
import { wrapDatabaseErrors } from "../database/database-errors.ts";

const maxTokens = 100;

const active = `(expires_at is null or expires_at > clock_timestamp())`;
const columns = `id, name, scopes, hint, made_by as "madeBy", created_at as "createdAt", last_used_at as "lastUsedAt", expires_at as "expiresAt"`;
const details = `jsonb_strip_nulls(jsonb_build_object('tokenId', id, 'name', name, 'scopes', scopes, 'madeBy', made_by))`;

export function postgresApiTokens(pool: pg.Pool): ApiTokens {
  return wrapDatabaseErrors<ApiTokens>({
    async add({ id, ownerId, name, scopes, tokenHash, hint, days, madeBy }) {
      return await inTransaction(pool, async ({ client }) => {
        await lockOwner(client, ownerId);
        await client.query(`delete from api_tokens where owner_id = $1 and not ${active}`, [
          ownerId,
        ]);
        const end =
          madeBy === undefined ? null : await creatorExpiry(client, { ownerId, madeBy, days });
        const { rows } = await client.query<TokenRow>(
          `with added as (
             insert into api_tokens (id, owner_id, name, scopes, token_hash, hint, expires_at, made_by)
             select $2, $1, $3, $4, $5, $6, coalesce(clock_timestamp() + $7::float8 * interval '1 day',
               $8::timestamptz), $9::uuid where (select count(*) from api_tokens where owner_id = $1) < ${maxTokens}
             returning *
           ), noted as (insert into audit (owner_id, what, by, details) select $1, 'token.created', 'owner', ${details} from added)
           select ${columns} from added`,
          [
            ownerId,
            id,
            cleanText(name),
            scopes,
            tokenHash,
            hint,
            days ?? null,
            end,
            madeBy ?? null,
          ],
        );
        if (!rows[0]) throw requestError("conflict", { code: "tokens_full", limit: maxTokens });
        return toView(rows[0]);
      });
    },
    async find(tokenHash) {
      const { rows } = await pool.query<ActiveToken>({
        name: "bron-token-2",
        text: `
          with used as (update api_tokens set last_used_at = clock_timestamp() where token_hash = $1
            and ${active} and (last_used_at is null or last_used_at < clock_timestamp() - interval '1 minute'))
          select id, owner_id as "ownerId", name, scopes from api_tokens where token_hash = $1 and ${active}`,
        values: [tokenHash],
      });
      return rows[0];
    },
    async list(ownerId) {
      const { rows } = await pool.query<TokenRow>(
        `select ${columns} from api_tokens where owner_id = $1 and ${active} order by created_at desc`,
        [ownerId],
      );
      return rows.map(toView);
    },
    async revoke(ownerId, id) {
      const removed = isUuid(id) ? await removeTree(pool, ownerId, id) : [];
      if (removed.length === 0) throw requestError("not_found", { code: "token_missing" });
      return removed;
    },
  });
}

/**
 * Serializes changes to an owner's tokens, so that the limit holds and no token is created by one
 * that is being revoked.
 */
async function lockOwner(client: pg.PoolClient, ownerId: string): Promise<void> {
  await client.query(`insert into owners (id) values ($1) on conflict do nothing`, [ownerId]);
  await client.query(`select from owners where id = $1 for no key update`, [ownerId]);
}

/** When the creator expires, or null if it does not. */
async function creatorExpiry(
  client: pg.PoolClient,
  {
    ownerId,
    madeBy,
    days,
  }: { readonly ownerId: string; readonly madeBy: string; readonly days: number | undefined },
): Promise<Date | null> {
  const { rows } = await client.query<{ end: Date | null; isLonger: boolean | null }>(
    `select expires_at as end, clock_timestamp() + $3::float8 * interval '1 day' > expires_at as "isLonger"
      from api_tokens where owner_id = $1 and id = $2 and ${active}`,
    [ownerId, madeBy, days ?? null],
  );
  const [creator] = rows;
  if (!creator) throw requestError("unauthenticated", { code: "token_ended" });
  if (creator.isLonger === true)
    throw requestError("invalid_input", {
      code: "token_outlives",
      expiresAt: creator.end?.toISOString() ?? "",
    });
  return creator.end;
}

async function removeTree(pool: pg.Pool, ownerId: string, id: string): Promise<string[]> {
  return await inTransaction(pool, async ({ client }) => {
    await lockOwner(client, ownerId);
    const { rows } = await client.query<{ id: string }>(
      `with recursive made as (
         select id from api_tokens where owner_id = $1 and id = $2 and ${active}
         union select t.id from api_tokens t join made on t.made_by = made.id where t.owner_id = $1
       ), gone as (delete from api_tokens where id in (select id from made) returning *),
       noted as (insert into audit (owner_id, what, by, details) select $1, 'token.revoked', 'owner', ${details} from gone)
       select id from gone`,
      [ownerId, id],
    );
    return rows.map((row) => row.id);
  });
}

type TokenRow = Pick<TokenView, "id" | "name" | "scopes" | "hint" | "madeBy"> & {
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly expiresAt: Date | null;
};

function toView({ createdAt, lastUsedAt, expiresAt, ...row }: TokenRow): TokenView {
  return {
    ...row,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    expiresAt: expiresAt?.toISOString() ?? null,
  };
}
