import { BronError } from "@bron/core";
import { sql, type Kysely } from "kysely";
import type { Database } from "./schema.ts";

export const baseline = "0019-baseline";

/** The migrations that the baseline replaces. */
const replaced = [
  "0001-runs",
  "0002-doors",
  "0003-appends",
  "0004-trust",
  "0010-audit",
  "0011-decisions",
  "0012-contacts",
  "0013-retries",
  "0014-brons",
  "0015-access",
  "0016-uploads",
  "0017-not-done",
  "0018-children",
  "0019-taken-back",
];

/** The last version that contains the replaced migrations. */
const lastVersion = "Bron 0.1.0";

/** Puts the baseline in the place of the migrations that it replaces, if all of them were run. */
export function withBaseline(names: readonly string[]): readonly string[] {
  return hasAllReplaced(names)
    ? [baseline, ...names.filter((name) => !replaced.includes(name))]
    : names;
}

function hasAllReplaced(names: readonly string[]): boolean {
  return replaced.every((name) => names.includes(name));
}

/**
 * Lets a database that the replaced migrations created count as created by the baseline, which
 * creates the same tables. Throws if it did not get that far. Requires a transaction. Returns the
 * names of the migrations that the database then has, in alphabetical order.
 */
export async function adoptBaseline(db: Kysely<Database>): Promise<readonly string[]> {
  const { rows: found } = await sql<{ exists: boolean }>`
    select to_regclass('kysely_migration') is not null as exists`.execute(db);
  if (found[0]?.exists !== true) return [];
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration order by name`.execute(db);
  const names = rows.map(({ name }) => name);
  if (!names.some((name) => replaced.includes(name))) return names;
  if (!hasAllReplaced(names))
    throw new BronError(
      "database_too_old",
      `This database is too old for this version of Bron (schema ${names.at(-1)}). The last version that can open it is ${lastVersion}. Start ${lastVersion} with it once, which updates it, and then this version again.`,
    );
  // The baseline keeps the time of the last one, because Kysely sorts by time.
  await sql`delete from kysely_migration where name = any(${replaced.slice(0, -1)})`.execute(db);
  await sql`update kysely_migration set name = ${baseline} where name = ${replaced.at(-1)}`.execute(
    db,
  );
  return withBaseline(names);
}
