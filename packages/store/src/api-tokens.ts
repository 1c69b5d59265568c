import { BronError, cleanText } from "@bron/core";
import type { Scope, TokenView } from "@bron/protocol";
import type pg from "pg";
import { inTransaction } from "./database.ts";
import { namingOutages } from "./database-errors.ts";
import { isUuid } from "./uuid.ts";

export interface LivingToken {
  readonly id: string;
  readonly ownerId: string;
  readonly scopes: readonly Scope[];
}

export interface NewApiToken extends LivingToken {
  readonly name: string;
  readonly tokenHash: string;
  readonly hint: string;
  readonly days?: number | undefined;
}

/** Personal tokens for the API, known by their hash. */
export interface ApiTokens {
  /** Throws conflict if the owner has too many. */
  add(token: NewApiToken): Promise<TokenView>;
  /** Notes when it was last used, at most once a minute. */
  find(tokenHash: string): Promise<LivingToken | undefined>;
  /** Living ones, newest first. */
  list(ownerId: string): Promise<TokenView[]>;
  /** Throws not_found. */
  revoke(ownerId: string, id: string): Promise<void>;
}

const maxTokens = 100;

const living = `(expires_at is null or expires_at > clock_timestamp())`;
const columns = `id, name, scopes, hint, created_at as "createdAt", last_used_at as "lastUsedAt", expires_at as "expiresAt"`;
const details = `jsonb_build_object('tokenId', id, 'name', name, 'scopes', scopes)`;

export function postgresApiTokens(pool: pg.Pool): ApiTokens {
  return namingOutages<ApiTokens>({
    async add({ id, ownerId, name, scopes, tokenHash, hint, days }) {
      return await inTransaction(pool, async ({ client }) => {
        await client.query(`insert into owners (id) values ($1) on conflict do nothing`, [ownerId]);
        // One after the other, so that two do not both become the last one.
        await client.query(`select from owners where id = $1 for no key update`, [ownerId]);
        await client.query(`delete from api_tokens where owner_id = $1 and not ${living}`, [ownerId]);
        const { rows } = await client.query<TokenRow>(
          `with added as (
             insert into api_tokens (id, owner_id, name, scopes, token_hash, hint, expires_at)
             select $2, $1, $3, $4, $5, $6, clock_timestamp() + $7::float8 * interval '1 day' where (select count(*) from api_tokens where owner_id = $1) < ${maxTokens}
             returning *
           ), noted as (insert into audit (owner_id, what, by, details) select $1, 'token.created', 'owner', ${details} from added)
           select ${columns} from added`,
          [ownerId, id, cleanText(name), scopes, tokenHash, hint, days ?? null],
        );
        if (!rows[0]) throw new BronError("conflict", `You have ${maxTokens} tokens, which is the most; revoke one first.`);
        return toView(rows[0]);
      });
    },
    async find(tokenHash) {
      const { rows } = await pool.query<LivingToken>({
        name: "bron-token-1",
        text: `
          with used as (update api_tokens set last_used_at = clock_timestamp() where token_hash = $1 and ${living} and (last_used_at is null or last_used_at < clock_timestamp() - interval '1 minute'))
          select id, owner_id as "ownerId", scopes from api_tokens where token_hash = $1 and ${living}`,
        values: [tokenHash],
      });
      return rows[0];
    },
    async list(ownerId) {
      const { rows } = await pool.query<TokenRow>(`select ${columns} from api_tokens where owner_id = $1 and ${living} order by created_at desc`, [ownerId]);
      return rows.map(toView);
    },
    async revoke(ownerId, id) {
      const gone = isUuid(id)
        ? (await pool.query(
            `with gone as (delete from api_tokens where owner_id = $1 and id = $2 and ${living} returning *), noted as (insert into audit (owner_id, what, by, details) select $1, 'token.revoked', 'owner', ${details} from gone) select id from gone`,
            [ownerId, id],
          )).rowCount
        : 0;
      if (gone === 0) throw new BronError("not_found", "There is no such token.");
    },
  });
}

type TokenRow = Pick<TokenView, "id" | "name" | "scopes" | "hint"> & { readonly createdAt: Date; readonly lastUsedAt: Date | null; readonly expiresAt: Date | null };

function toView({ createdAt, lastUsedAt, expiresAt, ...row }: TokenRow): TokenView {
  return { ...row, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null, expiresAt: expiresAt?.toISOString() ?? null };
}
