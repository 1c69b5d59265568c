import { BronError, messageOf, type Wake } from "@bron/core";
import type { DBOS as Dbos, DBOSClient } from "@dbos-inc/dbos-sdk";

/** The subset of DBOS that Bron uses: named segments, queued for any worker. */
export interface DurableQueue {
  /** Queues the segment inside the caller's transaction, so it rolls back with it. */
  enqueueIn(transaction: unknown, name: string, wake: Wake): Promise<void>;
  close(): Promise<void>;
}

/**
 * The store's connections for the queue. They are the engine's only access to the database. The
 * caller that opened them closes them, after the queue.
 */
interface QueueDatabase {
  readonly pool: DbosPool;
  hasTables(): Promise<boolean>;
  underLock(work: () => Promise<void>): Promise<void>;
}

type DbosPool = NonNullable<Parameters<typeof Dbos.setConfig>[0]["systemDatabasePool"]>;
type DbosTransaction = Parameters<DBOSClient["enqueueInTransaction"]>[0];

/** Opens a queue for one worker of this process. */
export type OpenQueue = (options: QueueOptions) => Promise<DurableQueue>;

interface QueueOptions {
  readonly worker: string;
  /** Undefined for a process that only queues segments. */
  readonly execute: ((runId: string) => Promise<void>) | undefined;
  /** Whether to take queued segments, or only those started by this process. */
  readonly listen: boolean;
  readonly maxRuns: number;
  readonly pollMs: number;
  readonly onProblem: (message: string) => void;
}

interface DbosConnection {
  readonly url: string;
  readonly database: QueueDatabase;
}

const queueName = "bron-segments";
const workflowName = "bron-segment";
/**
 * Pinned, because the default is a hash of the sources. Every edit would strand the queued
 * segments.
 */
const applicationVersion = "bron-1";
const applicationName = "bron";
/**
 * DBOS looks this often for notifications to send, and Bron has none. By default it would wake the
 * process a hundred times a second. Timers allow at most 24 days.
 */
const neverMs = 24 * 86_400_000;

// DBOS exists once per process and only knows workflows that were registered before its launch.
// This requires module state.
const processState: {
  execute: ((runId: string) => Promise<void>) | undefined;
  segment: ((runId: string) => Promise<void>) | undefined;
} = { execute: undefined, segment: undefined };

/** A queue in the tables of DBOS, which is loaded with the first queue. */
export function dbosQueue(connection: DbosConnection): OpenQueue {
  return async (options) => await openDbosQueue({ ...connection, ...options });
}

type DbosQueueOptions = DbosConnection & QueueOptions;

async function openDbosQueue(options: DbosQueueOptions): Promise<DurableQueue> {
  const { DBOS, DBOSClient } = await import("@dbos-inc/dbos-sdk");
  let closed = false;
  const problem = (entry: unknown) => {
    if (!closed) options.onProblem(messageOf(entry));
  };
  // DBOS also reports its own migrations as warnings. Real problems come as errors.
  const logger = {
    info: () => undefined,
    debug: () => undefined,
    warn: () => undefined,
    error: problem,
  };
  const { execute, database } = options;
  if (execute)
    await database.underLock(async () => await launch(DBOS, { ...options, execute, logger }));
  let tables = false;
  const client = await DBOSClient.create({
    systemDatabaseUrl: options.url,
    systemDatabasePool: database.pool,
    applicationName,
    logger,
  });
  return {
    async enqueueIn(transaction, name, wake) {
      // Before the first worker starts there is no queue table. That worker finds the run by its
      // row.
      tables ||= await database.hasTables();
      if (!tables) return;
      const delaySeconds = Math.ceil(wake.delayMs / 1000);
      const enqueue = {
        workflowName,
        queueName,
        workflowID: name,
        appVersion: applicationVersion,
        ...(delaySeconds > 0 ? { delaySeconds } : {}),
      };
      await client.enqueueInTransaction<(runId: string) => Promise<void>>(
        transaction as DbosTransaction,
        enqueue,
        wake.runId,
      );
    },
    async close() {
      closed = true;
      await client.destroy();
      if (execute) {
        processState.execute = undefined;
        await DBOS.shutdown();
      }
    },
  };
}

interface LaunchOptions extends DbosConnection, QueueOptions {
  readonly execute: (runId: string) => Promise<void>;
  readonly logger: NonNullable<Parameters<typeof Dbos.setConfig>[0]["logger"]>;
}

async function launch(
  DBOS: typeof Dbos,
  { execute, logger, ...options }: LaunchOptions,
): Promise<void> {
  if (processState.execute)
    throw new BronError(
      "conflict",
      "This process already has a worker. Only one worker can run per process.",
    );
  processState.execute = execute;
  // Never throws. A workflow that ends with an error is never run again, and the run's row holds
  // the actual state.
  processState.segment ??= DBOS.registerWorkflow(
    async (runId: string) => await processState.execute?.(runId),
    { name: workflowName },
  );
  const listenQueues = options.listen ? [queueName] : [];
  DBOS.setConfig({
    name: applicationName,
    systemDatabaseUrl: options.url,
    systemDatabasePool: options.database.pool,
    applicationVersion,
    executorID: options.worker,
    logger,
    tracingEnabled: false,
    enableOTLP: false,
    notificationCoalesceMs: neverMs,
    listenQueues,
  });
  try {
    await DBOS.launch();
    await DBOS.registerQueue(queueName, {
      workerConcurrency: options.maxRuns,
      minPollingIntervalMs: options.pollMs,
      onConflict: "always_update",
    });
  } catch (error) {
    processState.execute = undefined;
    throw error;
  }
}
