import { BronError, messageOf } from "@bron/core";
import { isDeepStrictEqual } from "node:util";
import { sql, type Kysely } from "kysely";
import { Migrator, type Migration } from "kysely/migration";
import { adoptBaseline, baseline } from "./adopt-baseline.ts";
import { createFunctions } from "../functions/create-functions.ts";
import type { Database } from "./schema.ts";

/** By name, in order. A migration is loaded when a database needs one. */
const migrations: Readonly<Record<string, () => Promise<Migration>>> = {
  [baseline]: () => import("../migrations/0019-baseline.ts"),
  "0020-doors": () => import("../migrations/0020-doors.ts"),
  "0021-clock-set-back": () => import("../migrations/0021-clock-set-back.ts"),
  "0022-lists": () => import("../migrations/0022-lists.ts"),
  "0023-approval-facts": () => import("../migrations/0023-approval-facts.ts"),
  "0024-error-codes": () => import("../migrations/0024-error-codes.ts"),
  "0026-questions": () => import("../migrations/0026-questions.ts"),
  "0027-threads": () => import("../migrations/0027-threads.ts"),
  "0028-answer-schema": () => import("../migrations/0028-answer-schema.ts"),
  "0029-bron-choices": () => import("../migrations/0029-bron-choices.ts"),
  "0030-cached-tokens": () => import("../migrations/0030-cached-tokens.ts"),
  "0031-client-actions": () => import("../migrations/0031-client-actions.ts"),
  "0032-tree-budgets": () => import("../migrations/0032-tree-budgets.ts"),
  "0033-places": () => import("../migrations/0033-places.ts"),
  "0034-thoughts": () => import("../migrations/0034-thoughts.ts"),
  "0035-ask-uses": () => import("../migrations/0035-ask-uses.ts"),
  "0036-rule-scopes": () => import("../migrations/0036-rule-scopes.ts"),
  "0037-effect-settings": () => import("../migrations/0037-effect-settings.ts"),
  "0038-readings": () => import("../migrations/0038-readings.ts"),
  "0039-contact-names": () => import("../migrations/0039-contact-names.ts"),
  "0040-private-grants": () => import("../migrations/0040-private-grants.ts"),
  "0043-written-things": () => import("../migrations/0043-written-things.ts"),
  "0046-as-typed": () => import("../migrations/0046-as-typed.ts"),
  "0047-restored-texts": () => import("../migrations/0047-restored-texts.ts"),
  "0048-run-outcomes": () => import("../migrations/0048-run-outcomes.ts"),
  "0049-thread-list": () => import("../migrations/0049-thread-list.ts"),
  "0050-task-words": () => import("../migrations/0050-task-words.ts"),
  "0051-snoozed-approvals": () => import("../migrations/0051-snoozed-approvals.ts"),
  "0053-archived-brons": () => import("../migrations/0053-archived-brons.ts"),
  "0054-oauth-clients": () => import("../migrations/0054-oauth-clients.ts"),
  "0055-model-key-states": () => import("../migrations/0055-model-key-states.ts"),
  "0057-undo-unasked": () => import("../migrations/0057-undo-unasked.ts"),
  "0058-persona-sources": () => import("../migrations/0058-persona-sources.ts"),
  "0059-plain-names": () => import("../migrations/0059-plain-names.ts"),
  "0060-memory": () => import("../migrations/0060-memory.ts"),
  "0065-schedules": () => import("../migrations/0065-schedules.ts"),
  "0066-owner-budgets": () => import("../migrations/0066-owner-budgets.ts"),
  "0067-bron-caps": () => import("../migrations/0067-bron-caps.ts"),
  "0070-skills": () => import("../migrations/0070-skills.ts"),
  "0075-mcp-servers": () => import("../migrations/0075-mcp-servers.ts"),
};

/**
 * Brings the tables and the functions up to date, in one transaction. Safe to run in several
 * processes: one works, the others wait.
 */
export async function migrate(db: Kysely<Database>): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    // Before Kysely's own lock, because Kysely creates its tables without one.
    await sql`select pg_advisory_xact_lock(hashtextextended(current_schema() || '.migrate', 0))`.execute(
      transaction,
    );
    const done = await adoptBaseline(transaction);
    // Kysely reads the whole catalog several times, which takes longer than the rest of a start.
    if (!isDeepStrictEqual(done, Object.keys(migrations))) await migrateTables(transaction);
    await createFunctions(transaction);
  });
}

async function loadMigrations(): Promise<Record<string, Migration>> {
  const loaded = Object.entries(migrations).map(async ([name, load]) => [name, await load()]);
  return Object.fromEntries(await Promise.all(loaded)) as Record<string, Migration>;
}

async function migrateTables(db: Kysely<Database>): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: loadMigrations },
  });
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) return;
  const message = messageOf(error);
  if (/corrupted migrations|missing/.test(message))
    throw new BronError(
      "log_too_new",
      `This database was set up by a newer version of Bron: ${message}`,
      {
        cause: error,
      },
    );
  throw error;
}
