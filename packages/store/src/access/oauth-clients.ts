import { BronError, type OauthClients, type StoredOauthClient } from "@bron/core";
import type pg from "pg";
import { wrapDatabaseErrors } from "../database/database-errors.ts";

/** The end of a statement: writes an audit row for the row that `changed` returned. */
const withAuditRow = (what: string) =>
  `noted as (
    insert into audit (owner_id, what, by, details)
    select $1, '${what}', 'owner', jsonb_build_object('provider', provider, 'clientId', client_id) from changed
  ) select provider from changed`;

export function postgresOauthClients(pool: pg.Pool): OauthClients {
  return wrapDatabaseErrors<OauthClients>({
    async put(ownerId, { provider, clientId, sealedSecret }) {
      await pool.query(
        `with owner as (insert into owners (id) values ($1) on conflict do nothing), changed as (
           insert into oauth_clients (provider, client_id, sealed_secret) values ($2, $3, $4)
           on conflict (provider) do update set client_id = excluded.client_id, sealed_secret = excluded.sealed_secret, updated_at = clock_timestamp()
           returning provider, client_id
         ), ${withAuditRow("oauth_client.set")}`,
        [ownerId, provider, clientId, sealedSecret],
      );
    },
    async remove(ownerId, provider) {
      const { rowCount } = await pool.query(
        `with changed as (delete from oauth_clients where provider = $2 returning provider, client_id), ${withAuditRow("oauth_client.removed")}`,
        [ownerId, provider],
      );
      if (rowCount === 0) throw new BronError("not_found", "No app is stored for this provider.");
    },
    async get(provider) {
      const { rows } = await pool.query<StoredOauthClient & { updatedAt: Date }>(
        `select provider, client_id as "clientId", sealed_secret as "sealedSecret", updated_at as "updatedAt" from oauth_clients where provider = $1`,
        [provider],
      );
      const [row] = rows;
      return row && { ...row, updatedAt: row.updatedAt.toISOString() };
    },
  });
}
