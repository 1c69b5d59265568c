import { BronError, messageOf, type Wake } from "@bron/core";
import { DBOS, DBOSClient } from "@dbos-inc/dbos-sdk";

/** DBOS, as much of it as Bron uses: a name per segment, queued for any worker. */
export interface DurableQueue {
  /** Queues it inside the caller's transaction: it rolls back with it. */
  enqueueIn(transaction: unknown, name: string, wake: Wake): Promise<void>;
  close(): Promise<void>;
}

/** The store's connections for the queue: all of the engine's access to the database. Whoever opened them closes them, after the queue. */
export interface QueueDatabase {
  readonly pool: DbosPool;
  hasTables(): Promise<boolean>;
  underLock(work: () => Promise<void>): Promise<void>;
}

type DbosPool = NonNullable<Parameters<typeof DBOS.setConfig>[0]["systemDatabasePool"]>;
type DbosTransaction = Parameters<DBOSClient["enqueueInTransaction"]>[0];

export interface DurableQueueOptions {
  readonly url: string;
  readonly database: QueueDatabase;
  readonly worker: string;
  /** Undefined for a process that only queues. */
  readonly execute: ((runId: string) => Promise<void>) | undefined;
  /** Whether to take what is queued, or only what is started here. */
  readonly listen: boolean;
  readonly maxRuns: number;
  readonly pollMs: number;
  readonly onProblem: (message: string) => void;
}

const queueName = "bron-segments";
const workflowName = "bron-segment";
/** Pinned: by default it is a hash of the sources, and an edit would strand what is queued. */
const applicationVersion = "bron-1";
const applicationName = "bron";

// DBOS is one per process, and knows workflows by functions registered before its launch. This is the only state of a module in Bron.
const inThisProcess: {
  execute: ((runId: string) => Promise<void>) | undefined;
  segment: ((runId: string) => Promise<void>) | undefined;
} = { execute: undefined, segment: undefined };

export async function openDurableQueue(options: DurableQueueOptions): Promise<DurableQueue> {
  let closed = false;
  const problem = (entry: unknown) => {
    if (!closed) options.onProblem(messageOf(entry));
  };
  // At its "warn" DBOS also tells of its own migrations; what is wrong comes as an error.
  const logger = {
    info: () => undefined,
    debug: () => undefined,
    warn: () => undefined,
    error: problem,
  };
  const { execute, database } = options;
  if (execute) await database.underLock(async () => await launch(options, execute, logger));
  let tables = false;
  const client = await DBOSClient.create({
    systemDatabaseUrl: options.url,
    systemDatabasePool: database.pool,
    applicationName,
    logger,
  });
  return {
    async enqueueIn(transaction, name, wake) {
      // Before the first worker there is no queue to write to; it will find the run by its row.
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
        inThisProcess.execute = undefined;
        await DBOS.shutdown();
      }
    },
  };
}

type Logger = NonNullable<Parameters<typeof DBOS.setConfig>[0]["logger"]>;

async function launch(
  options: DurableQueueOptions,
  execute: (runId: string) => Promise<void>,
  logger: Logger,
): Promise<void> {
  if (inThisProcess.execute)
    throw new BronError("conflict", "This process has a worker already: one per process.");
  inThisProcess.execute = execute;
  // Never throws: a workflow that ended in an error is dead for good, and the run's row knows better.
  inThisProcess.segment ??= DBOS.registerWorkflow(
    async (runId: string) => await inThisProcess.execute?.(runId),
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
    inThisProcess.execute = undefined;
    throw error;
  }
}
