import { BronError, type UsedKeys } from "@bron/core";
import type { Kysely } from "kysely";
import { wrapDatabaseErrors, withDatabaseErrors } from "./database-errors.ts";
import type { Database } from "./schema.ts";

export function postgresUsedKeys(db: Kysely<Database>): UsedKeys {
  return wrapDatabaseErrors({
    async useOnce(key: string) {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto("used_keys")
        .values({ key })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    },
    async wasUsed(key: string) {
      return (
        (await db
          .selectFrom("used_keys")
          .select("key")
          .where("key", "=", key)
          .executeTakeFirst()) !== undefined
      );
    },
  });
}

/** Checks what every process on this database must agree on. The first process sets it. */
export async function checkInstance(
  db: Kysely<Database>,
  facts: { secretKeyFingerprint: string },
): Promise<void> {
  const value = await withDatabaseErrors(async () => await firstFingerprint(db, facts));
  if (value !== facts.secretKeyFingerprint)
    throw new BronError(
      "secret_key_changed",
      "BRON_SECRET_KEY differs from the one this database was set up with.",
    );
}

async function firstFingerprint(
  db: Kysely<Database>,
  facts: { secretKeyFingerprint: string },
): Promise<string> {
  await db
    .insertInto("instance")
    .values({ key: "secret_key_fingerprint", value: facts.secretKeyFingerprint })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { value } = await db
    .selectFrom("instance")
    .select("value")
    .where("key", "=", "secret_key_fingerprint")
    .executeTakeFirstOrThrow();
  return value;
}
