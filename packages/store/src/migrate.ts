import { BronError, messageOf } from "@bron/core";
import { sql, type Kysely } from "kysely";
import { Migrator, type Migration } from "kysely/migration";
import { createFunctions } from "./functions/create-functions.ts";
import * as runs from "./migrations/0001-runs.ts";
import * as doors from "./migrations/0002-doors.ts";
import * as appends from "./migrations/0003-appends.ts";
import * as audit from "./migrations/0010-audit.ts";
import * as decisions from "./migrations/0011-decisions.ts";
import * as retries from "./migrations/0013-retries.ts";
import * as trust from "./migrations/0004-trust.ts";
import * as contacts from "./migrations/0012-contacts.ts";
import * as brons from "./migrations/0014-brons.ts";
import * as access from "./migrations/0015-access.ts";
import * as uploads from "./migrations/0016-uploads.ts";
import * as notDone from "./migrations/0017-not-done.ts";
import * as children from "./migrations/0018-children.ts";
import * as takenBack from "./migrations/0019-taken-back.ts";
import * as doorLimits from "./migrations/0020-doors.ts";
import * as clockSetBack from "./migrations/0021-clock-set-back.ts";
import * as lists from "./migrations/0022-lists.ts";
import type { Database } from "./schema.ts";

const migrations: Record<string, Migration> = {
  "0001-runs": runs,
  "0002-doors": doors,
  "0003-appends": appends,
  "0004-trust": trust,
  "0010-audit": audit,
  "0011-decisions": decisions,
  "0012-contacts": contacts,
  "0013-retries": retries,
  "0014-brons": brons,
  "0015-access": access,
  "0016-uploads": uploads,
  "0017-not-done": notDone,
  "0018-children": children,
  "0019-taken-back": takenBack,
  "0020-doors": doorLimits,
  "0021-clock-set-back": clockSetBack,
  "0022-lists": lists,
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
    await migrateTables(transaction);
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
