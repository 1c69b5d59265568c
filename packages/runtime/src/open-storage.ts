import type { Sign } from "@bron/protocol";
import {
  checkInstance,
  createBlobs,
  openChangeFeed,
  openDatabase,
  openQueueDatabase,
  s3Store,
  setUpDatabase,
  type Blobs,
  type ChangeFeed,
  type OpenDatabase,
  type QueueDatabase,
} from "@bron/store";
import { createHmac } from "node:crypto";
import type { Cleanups } from "./cleanups.ts";
import { openPostgres } from "./open-postgres.ts";
import type { RuntimeOptions } from "./runtime-options.ts";
import { fingerprint } from "./secret-key.ts";

export interface Storage {
  readonly databaseUrl: string;
  readonly secretKey: string;
  readonly database: OpenDatabase;
  readonly blobs: Blobs;
  readonly feed: ChangeFeed;
  readonly queueDatabase: QueueDatabase;
  readonly sign: Sign;
}

/** Opens the database with its schema up to date, and the connections that are kept beside it. */
export async function openStorage(
  options: RuntimeOptions,
  onProblem: (message: string, error?: unknown) => void,
  cleanups: Cleanups,
): Promise<Storage> {
  const { databaseUrl, adminUrl, secretKey, close } = await openPostgres(options);
  cleanups.add(close);
  await setUpDatabase({ url: databaseUrl, adminUrl });
  const database = await openDatabase({ url: databaseUrl, poolSize: 12 });
  cleanups.add(database.close);
  await checkInstance(database.db, { secretKeyFingerprint: fingerprint(secretKey) });
  const feed = openChangeFeed({ url: databaseUrl, pool: database.pool, onProblem });
  cleanups.add(feed.close);
  const queueDatabase = openQueueDatabase(databaseUrl);
  cleanups.add(queueDatabase.close);
  return {
    databaseUrl,
    secretKey,
    database,
    blobs: createBlobs(database.db, options.s3 && s3Store(options.s3)),
    feed,
    queueDatabase,
    sign: (purpose, text) =>
      createHmac("sha256", secretKey).update(`bron.${purpose}\n${text}`).digest("base64url"),
  };
}
