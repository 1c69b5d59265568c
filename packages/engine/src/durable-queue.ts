import { BronError, messageOf, type Wake } from "@bron/core";
import { DBOS, DBOSClient } from "@dbos-inc/dbos-sdk";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

/** DBOS, as much of it as Bron uses: a name per segment, queued for any worker. */
export interface DurableQueue {
  /** Queues it inside the caller's transaction: it rolls back with it. */
  enqueueIn(transaction: pg.ClientBase, name: string, wake: Wake): Promise<void>;
  close(): Promise<void>;
}

export interface DurableQueueOptions {
  readonly url: string;
  readonly worker: string;
  /** Undefined for a process that only queues. */
  readonly execute: ((runId: string) => Promise<void>) | undefined;
  /** Whether to take what is queued, or only what is started here. */
  readonly listen: boolean;
  readonly maxRuns: number;
  readonly pollMs: number;
  readonly onProblem: (message: string) => void;
}

const lockPauseMs = 50;
const queueName = "bron-segments";
const workflowName = "bron-segment";
/** Pinned: by default it is a hash of the sources, and an edit would strand what is queued. */
const applicationVersion = "bron-1";
const applicationName = "bron";

// DBOS is one per process, and knows workflows by functions registered before its launch. This is the only state of a module in Bron.
const inThisProcess: { execute: ((runId: string) => Promise<void>) | undefined; segment: ((runId: string) => Promise<void>) | undefined } = { execute: undefined, segment: undefined };

export async function openDurableQueue(options: DurableQueueOptions): Promise<DurableQueue> {
  let closed = false;
  const problem = (entry: unknown) => {
    if (!closed) options.onProblem(messageOf(entry));
  };
  // At its "warn" DBOS also tells of its own migrations; what is wrong comes as an error.
  const logger = { info: () => undefined, debug: () => undefined, warn: () => undefined, error: problem };
  // A pool of ours: DBOS would leave its own open after the shutdown.
  const pool = new pg.Pool({ connectionString: options.url, max: 6, connectionTimeoutMillis: 5_000, query_timeout: 15_000, keepAlive: true });
  pool.on("error", () => undefined);
  // DBOS checks connections out without listening; one that breaks then would end the process.
  pool.on("connect", (client) => client.on("error", () => undefined));
  const { execute } = options;
  try {
    if (execute) await underLock(pool, async () => await launch(options, execute, pool, logger));
    let tables = false;
    const client = await DBOSClient.create({ systemDatabaseUrl: options.url, systemDatabasePool: pool, applicationName, logger });
    return {
      async enqueueIn(transaction, name, wake) {
        // Before the first worker there is no queue to write to; it will find the run by its row.
        tables ||= await hasTables(pool);
        if (!tables) return;
        const delaySeconds = Math.ceil(wake.delayMs / 1000);
        const enqueue = { workflowName, queueName, workflowID: name, appVersion: applicationVersion, ...(delaySeconds > 0 ? { delaySeconds } : {}) };
        await client.enqueueInTransaction<(runId: string) => Promise<void>>(transaction, enqueue, wake.runId);
      },
      async close() {
        closed = true;
        await client.destroy();
        if (execute) {
          inThisProcess.execute = undefined;
          await DBOS.shutdown();
        }
        await pool.end();
      },
    };
  } catch (error) {
    await pool.end();
    throw error;
  }
}

type Logger = NonNullable<Parameters<typeof DBOS.setConfig>[0]["logger"]>;

async function launch(options: DurableQueueOptions, execute: (runId: string) => Promise<void>, systemDatabasePool: pg.Pool, logger: Logger): Promise<void> {
  if (inThisProcess.execute) throw new BronError("conflict", "This process has a worker already: one per process.");
  inThisProcess.execute = execute;
  // Never throws: a workflow that ended in an error is dead for good, and the run's row knows better.
  inThisProcess.segment ??= DBOS.registerWorkflow(async (runId: string) => await inThisProcess.execute?.(runId), { name: workflowName });
  const listenQueues = options.listen ? [queueName] : [];
  DBOS.setConfig({ name: applicationName, systemDatabaseUrl: options.url, systemDatabasePool, applicationVersion, executorID: options.worker, logger, tracingEnabled: false, enableOTLP: false, listenQueues });
  try {
    await DBOS.launch();
    await DBOS.registerQueue(queueName, { workerConcurrency: options.maxRuns, minPollingIntervalMs: options.pollMs, onConflict: "always_update" });
  } catch (error) {
    inThisProcess.execute = undefined;
    throw error;
  }
}

async function hasTables(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ found: boolean }>("select to_regclass('dbos.workflow_status') is not null as found");
  return rows[0]?.found === true;
}

/** DBOS brings its own tables; first starts at the same time take turns. */
async function underLock(pool: pg.Pool, work: () => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    // Asked for again and again: DBOS builds indexes concurrently, which waits for every statement that is under way, and so for one that waits for this lock.
    for (;;) {
      const { rows } = await client.query<{ locked: boolean }>("select pg_try_advisory_lock(hashtextextended('bron.dbos-launch', 0)) as locked");
      if (rows[0]?.locked === true) break;
      await sleep(lockPauseMs);
    }
    await work();
  } finally {
    // Ended, not returned: the lock goes with the session, whatever happened to it.
    client.release(true);
  }
}
