import { BronError, cleanText, type ModelKeys, type StoredModelKey } from "@bron/core";
import type { ModelKeyView } from "@bron/protocol";
import type pg from "pg";
import { wrapDatabaseErrors } from "../database/database-errors.ts";

/** The end of a statement: writes an audit row for the rows that `changed` returned. */
const withAuditRow = (what: string) =>
  `noted as (insert into audit (owner_id, what, by, details)
    select $1, '${what}', 'owner', jsonb_build_object('provider', provider, 'model', model) from changed) select provider from changed`;

export function postgresModelKeys(pool: pg.Pool): ModelKeys {
  return wrapDatabaseErrors<ModelKeys>({
    async put(ownerId, { provider, sealedKey, hint, model }) {
      await pool.query(
        `with owner as (insert into owners (id) values ($1) on conflict do nothing), changed as (
           insert into model_keys (owner_id, provider, sealed_key, hint, model) values ($1, $2, $3, $4, $5)
           on conflict (owner_id, provider)
             do update set sealed_key = excluded.sealed_key, hint = excluded.hint, model = excluded.model, updated_at = clock_timestamp()
           returning provider, model
         ), ${withAuditRow("model_key.set")}`,
        [ownerId, provider, sealedKey, hint, model === null ? null : cleanText(model)],
      );
    },
    async remove(ownerId, provider) {
      const { rowCount } = await pool.query(
        `with changed as (delete from model_keys where owner_id = $1 and provider = $2 returning provider, model), ${withAuditRow("model_key.removed")}`,
        [ownerId, provider],
      );
      if (rowCount === 0) throw new BronError("not_found", "Model key not found.");
    },
    async list(ownerId) {
      const { rows } = await pool.query<Omit<ModelKeyView, "updatedAt"> & { updatedAt: Date }>(
        `select provider, hint, model, updated_at as "updatedAt" from model_keys where owner_id = $1 order by updated_at desc`,
        [ownerId],
      );
      return rows.map((row) => ({ ...row, updatedAt: row.updatedAt.toISOString() }));
    },
    async latest(ownerId) {
      const { rows } = await pool.query<StoredModelKey>(
        `select provider, sealed_key as "sealedKey", hint, model from model_keys where owner_id = $1 order by updated_at desc limit 1`,
        [ownerId],
      );
      return rows[0];
    },
  });
}
