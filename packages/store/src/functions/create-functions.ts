import { sql, type Kysely } from "kysely";
import { createHash } from "node:crypto";
import { claimPlacedRun, claimRun } from "./claim-run.ts";
import { closeApproval } from "./close-approval.ts";
import { leaseHorizon } from "./lease-horizon.ts";
import { leaseIsLive } from "./lease-is-live.ts";
import { mayTakeOver } from "./may-take-over.ts";
import { placeIsServed } from "./place-is-served.ts";
import type { Database } from "../database/schema.ts";
import type { SqlFunction } from "./sql-function.ts";
import { takeStreamSlot } from "./take-stream-slot.ts";
import { takeTurns } from "./take-turns.ts";

/** In the order of creation: a function comes after those that it calls. */
export const sqlFunctions: readonly SqlFunction[] = [
  leaseHorizon,
  leaseIsLive,
  mayTakeOver,
  placeIsServed,
  claimPlacedRun,
  claimRun,
  closeApproval,
  takeTurns,
  takeStreamSlot,
];

/** Signatures of earlier versions that no supported version calls. */
const retired = [
  "take_turn(text[], int[], float8[])",
  "close_approval(text, uuid, text, text, text, text, text, jsonb)",
];

/**
 * Creates the functions whose text has changed and drops the retired ones. The comment of a
 * function in the database has the hash of its text. Requires a transaction that holds a lock
 * against other callers. Returns the names of the functions that it created.
 */
export async function createFunctions(
  db: Kysely<Database>,
  functions: readonly SqlFunction[] = sqlFunctions,
): Promise<string[]> {
  await sql.raw(`drop function if exists ${retired.join(", ")}`).execute(db);
  const comments = await commentsOf(db);
  const changed = functions.filter(({ name, text }) => comments.get(name) !== commentFor(text));
  for (const { name, text } of changed) {
    await sql.raw(text).execute(db);
    await sql.raw(`comment on function ${name} is '${commentFor(text)}'`).execute(db);
  }
  return changed.map(({ name }) => name);
}

async function commentsOf(db: Kysely<Database>): Promise<Map<string, string | null>> {
  const { rows } = await sql<{ name: string; comment: string | null }>`
    select proname as name, obj_description(oid, 'pg_proc') as comment
    from pg_proc where pronamespace = current_schema()::regnamespace`.execute(db);
  return new Map(rows.map(({ name, comment }) => [name, comment]));
}

function commentFor(text: string): string {
  return `bron sha256 ${createHash("sha256").update(text).digest("hex")}`;
}
