import { BronError, cleanText, type ModelKeys, type StoredModelKey } from "@bron/core";
import type { ModelKeyView } from "@bron/protocol";
import type pg from "pg";
import { wrapDatabaseErrors } from "../database/database-errors.ts";

const columns = `provider, sealed_key as "sealedKey", hint, model, state`;

/** The end of a statement: writes an audit row for the rows that `changed` returned. */
const withAuditRow = (what: string) =>
  `noted as (insert into audit (owner_id, what, by, details)
    select $1, '${what}', 'owner', jsonb_build_object('provider', provider, 'model', model) from changed) select provider from changed`;

export function postgresModelKeys(pool: pg.Pool): ModelKeys {
  return wrapDatabaseErrors<ModelKeys>({
    async put(ownerId, { provider, sealedKey, hint, model, state }) {
      await pool.query(
        `with owner as (insert into owners (id) values ($1) on conflict do nothing), changed as (
           insert into model_keys (owner_id, provider, sealed_key, hint, model, state) values ($1, $2, $3, $4, $5, $6)
           on conflict (owner_id, provider)
             do update set sealed_key = excluded.sealed_key, hint = excluded.hint, model = excluded.model, state = excluded.state,
               updated_at = clock_timestamp()
           returning provider, model
         ), ${withAuditRow("model_key.set")}`,
        [ownerId, provider, sealedKey, hint, model === null ? null : cleanText(model), state],
      );
    },
    async get(ownerId, provider) {
      const { rows } = await pool.query<StoredModelKey>(
        `select ${columns} from model_keys where owner_id = $1 and provider = $2`,
        [ownerId, provider],
      );
      return rows[0];
    },
    async setState(ownerId, provider, state) {
      const changed = `update model_keys set state = $3, updated_at = clock_timestamp() where owner_id = $1 and provider = $2 returning provider, model`;
      const { rowCount } = await pool.query(
        state === "accepted"
          ? `with changed as (${changed}), ${withAuditRow("model_key.accepted")}`
          : changed,
        [ownerId, provider, state],
      );
      if (rowCount === 0) throw new BronError("not_found", "Model key not found.");
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
        `select provider, hint, model, state, updated_at as "updatedAt" from model_keys where owner_id = $1 order by updated_at desc`,
        [ownerId],
      );
      return rows.map((row) => ({ ...row, updatedAt: row.updatedAt.toISOString() }));
    },
    async latest(ownerId) {
      const { rows } = await pool.query<StoredModelKey>(
        `select ${columns} from model_keys where owner_id = $1 and state <> 'untested' order by updated_at desc limit 1`,
        [ownerId],
      );
      return rows[0];
    },
  });
}
