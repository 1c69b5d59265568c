import { BronError, messageOf } from "@bron/core";
import { isDeepStrictEqual } from "node:util";
import { sql, type Kysely } from "kysely";
import { Migrator, type Migration } from "kysely/migration";
import { adoptBaseline, baseline } from "./adopt-baseline.ts";
import { createFunctions } from "../functions/create-functions.ts";
import * as tables from "../migrations/0019-baseline.ts";
import * as doors from "../migrations/0020-doors.ts";
import * as clockSetBack from "../migrations/0021-clock-set-back.ts";
import * as lists from "../migrations/0022-lists.ts";
import * as approvalFacts from "../migrations/0023-approval-facts.ts";
import * as errorCodes from "../migrations/0024-error-codes.ts";
import * as questions from "../migrations/0026-questions.ts";
import * as threads from "../migrations/0027-threads.ts";
import * as answerSchema from "../migrations/0028-answer-schema.ts";
import * as bronChoices from "../migrations/0029-bron-choices.ts";
import * as cachedTokens from "../migrations/0030-cached-tokens.ts";
import * as clientActions from "../migrations/0031-client-actions.ts";
import * as treeBudgets from "../migrations/0032-tree-budgets.ts";
import * as places from "../migrations/0033-places.ts";
import * as thoughts from "../migrations/0034-thoughts.ts";
import * as askUses from "../migrations/0035-ask-uses.ts";
import * as ruleScopes from "../migrations/0036-rule-scopes.ts";
import * as effectSettings from "../migrations/0037-effect-settings.ts";
import * as readings from "../migrations/0038-readings.ts";
import * as contactNames from "../migrations/0039-contact-names.ts";
import * as privateGrants from "../migrations/0040-private-grants.ts";
import * as writtenThings from "../migrations/0043-written-things.ts";
import * as asTyped from "../migrations/0046-as-typed.ts";
import type { Database } from "./schema.ts";

const migrations: Record<string, Migration> = {
  [baseline]: tables,
  "0020-doors": doors,
  "0021-clock-set-back": clockSetBack,
  "0022-lists": lists,
  "0023-approval-facts": approvalFacts,
  "0024-error-codes": errorCodes,
  "0026-questions": questions,
  "0027-threads": threads,
  "0028-answer-schema": answerSchema,
  "0029-bron-choices": bronChoices,
  "0030-cached-tokens": cachedTokens,
  "0031-client-actions": clientActions,
  "0032-tree-budgets": treeBudgets,
  "0033-places": places,
  "0034-thoughts": thoughts,
  "0035-ask-uses": askUses,
  "0036-rule-scopes": ruleScopes,
  "0037-effect-settings": effectSettings,
  "0038-readings": readings,
  "0039-contact-names": contactNames,
  "0040-private-grants": privateGrants,
  "0043-written-things": writtenThings,
  "0046-as-typed": asTyped,
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

async function migrateTables(db: Kysely<Database>): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(migrations) },
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
