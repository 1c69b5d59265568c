import { sql, type Kysely } from "kysely";

/** Error codes get plain names. Events keep the old ones, and are upgraded when they are read. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [old, renamed] of renamedCodes) {
    await sql`update runs set error = jsonb_set(error, '{code}', to_jsonb(${renamed}::text)) where error ->> 'code' = ${old}`.execute(
      db,
    );
    await sql`update runs set card = jsonb_set(card, '{error,code}', to_jsonb(${renamed}::text)) where card -> 'error' ->> 'code' = ${old}`.execute(
      db,
    );
  }
}

const renamedCodes = [
  ["model_nonsense", "model_response_invalid"],
  ["model_runaway", "model_response_too_long"],
  ["run_poisoned", "run_keeps_failing"],
] as const;
