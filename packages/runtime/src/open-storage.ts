import type { AccessStore, RuntimeStore, Waker } from "@bron/core";
import { dbosQueue, type OpenQueue } from "@bron/engine";
import {
  checkInstance,
  createBlobs,
  createPostgresStore,
  openChangeFeed,
  openDatabase,
  openQueueDatabase,
  postgresApiTokens,
  postgresRates,
  postgresSessions,
  postgresStreamSlots,
  s3Store,
  setUpDatabase,
  withDatabaseErrors,
} from "@bron/store";
import { backupLines, type RuntimeBackupLine } from "./backup.ts";
import type { Cleanups } from "./cleanups.ts";
import { openPostgres } from "./open-postgres.ts";
import type { PostgresRuntimeOptions } from "./runtime-options.ts";
import { fingerprint } from "./secret-key.ts";

/** A store on Postgres, and what only Postgres adds to a runtime. */
export interface Storage {
  readonly store: RuntimeStore;
  readonly access: AccessStore;
  readonly secretKey: string;
  readonly openQueue: OpenQueue;
  readonly backup: () => AsyncGenerator<RuntimeBackupLine>;
}

/** Opens the database with its schema up to date, and the connections that are kept beside it. */
export async function openStorage(
  options: PostgresRuntimeOptions,
  cleanups: Cleanups,
): Promise<Storage> {
  const { onProblem = () => undefined } = options;
  const { databaseUrl: url, adminUrl, secretKey, close } = await openPostgres(options);
  cleanups.add(close);
  await setUpDatabase({ url, adminUrl });
  const database = await openDatabase({ url, poolSize: 12 });
  cleanups.add(database.close);
  const { pool, db } = database;
  await checkInstance(db, { secretKeyFingerprint: fingerprint(secretKey) });
  const feed = openChangeFeed({ url, pool, onProblem });
  cleanups.add(feed.close);
  const queueDatabase = openQueueDatabase(url);
  cleanups.add(queueDatabase.close);
  const blobs = createBlobs(db, options.s3 && s3Store(options.s3));
  const { waker, setWaker } = createLateWaker();
  const openQueue = dbosQueue({ url, database: queueDatabase });
  return {
    store: { ...createPostgresStore(database, waker, blobs), feed, setWaker },
    access: {
      sessions: postgresSessions(pool),
      apiTokens: postgresApiTokens(pool),
      rates: postgresRates(pool),
      streamSlots: postgresStreamSlots(pool),
    },
    secretKey,
    openQueue: (queue) => withDatabaseErrors(() => openQueue(queue)),
    backup: () =>
      backupLines({ pool, blobs }, options.databaseUrl === undefined ? secretKey : undefined),
  };
}

/** The store needs a waker before there is an engine. Nothing is woken in between. */
function createLateWaker(): { readonly waker: Waker; setWaker(waker: Waker): void } {
  let current: Waker | undefined;
  return {
    waker: {
      takesHere: () => current?.takesHere() === true,
      enlist: async (wake, transaction) => await current?.enlist(wake, transaction),
      committed: (wake, here) => current?.committed(wake, here),
    },
    setWaker(waker) {
      current = waker;
    },
  };
}
