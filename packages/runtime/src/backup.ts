import { omitUndefined } from "@bron/protocol";
import { BronError } from "@bron/core";
import {
  exportDatabase,
  importDatabase,
  openDatabase,
  setUpDatabase,
  type BackupLine,
  type Blobs,
  type OpenDatabase,
} from "@bron/store";
import { openPostgres, type PostgresOptions } from "./open-postgres.ts";
import { adoptSecretKey } from "./secret-key.ts";

/**
 * A line of the backup that `Runtime.backup` returns: the database, and the secret key of a home.
 * Keep it as secret as the home itself.
 */
export type RuntimeBackupLine =
  | BackupLine
  | { readonly kind: "secret"; readonly secretKey: string };

/** Includes the secret key only for an embedded database. Otherwise the operator keeps the key. */
export async function* backupLines(
  { pool, blobs }: { readonly pool: OpenDatabase["pool"]; readonly blobs: Blobs },
  secretKey: string | undefined,
): AsyncGenerator<RuntimeBackupLine> {
  if (secretKey !== undefined) yield { kind: "secret", secretKey };
  yield* exportDatabase(pool, blobs);
}

/** See `restoreBackup`. */
export async function restoreLines(
  options: PostgresOptions,
  lines: AsyncIterable<RuntimeBackupLine>,
): Promise<number> {
  const reader = lines[Symbol.asyncIterator]();
  const first = await reader.next();
  if (first.done === true) throw new BronError("invalid_input", "The backup is empty.");
  const secretKey = first.value.kind === "secret" ? first.value.secretKey : options.secretKey;
  const postgres = await openPostgres({ ...options, ...omitUndefined({ secretKey }) });
  try {
    await setUpDatabase({ url: postgres.databaseUrl, adminUrl: postgres.adminUrl });
    const database = await openDatabase({ url: postgres.databaseUrl, poolSize: 2 });
    try {
      if (first.value.kind === "secret" && options.databaseUrl === undefined)
        await adoptSecretKey(options.home ?? ".bron", first.value.secretKey);
      return await importDatabase(database.pool, rest(first.value, reader));
    } finally {
      await database.close();
    }
  } finally {
    await postgres.close();
  }
}

async function* rest(
  first: RuntimeBackupLine,
  reader: AsyncIterator<RuntimeBackupLine>,
): AsyncGenerator<BackupLine> {
  if (first.kind !== "secret") yield first;
  for (let next = await reader.next(); next.done !== true; next = await reader.next()) {
    if (next.value.kind === "secret")
      throw new BronError("invalid_input", "This is not a Bron backup.");
    yield next.value;
  }
}
