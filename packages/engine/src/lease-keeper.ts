import { momentOf, msSince, type Clock, type Lease, type RunLog } from "@bron/core";
import { withTimeout } from "./with-timeout.ts";

interface LeaseKeeperOptions {
  readonly log: RunLog;
  readonly clock: Clock;
  readonly worker: string;
  readonly leaseMs: number;
  /** The leases that this worker holds now. */
  readonly held: () => readonly Lease[];
  /** Called when a lease is lost because another worker has the run. */
  readonly onLost: (lease: Lease) => void;
  /** Called for each kept lease with the end of its log. Another writer may have appended to it. */
  readonly onLogAdvanced: (runId: string, lastSeq: number) => void;
  /**
   * Called when leases could not be renewed for half a lease. Abort everything and start nothing.
   */
  readonly onRisk: () => void;
}

export interface LeaseKeeper {
  /** Whether new segments may start. */
  healthy(): boolean;
  /**
   * Latest time, by the database's clock, at which another worker's expired lease may be taken
   * over. 0 while this worker's own heartbeats are interrupted.
   */
  takeOverUntil(): number;
  stop(): Promise<void>;
}

/**
 * Renews all leases of a worker in one statement, about five times per lease duration. After an
 * outage of the database or of this machine every lease looks expired. So no lease is taken over
 * until live workers have had time to renew.
 */
export function startLeaseKeeper(options: LeaseKeeperOptions): LeaseKeeper {
  const { log, clock, worker, leaseMs } = options;
  const heartbeatMs = leaseMs / 5;
  const graceMs = leaseMs / 2;
  const stopping = new AbortController();

  let lastHeartbeat = momentOf(clock);
  let healthySince = momentOf(clock);
  let atRisk = false;
  let databaseHeartbeatAt = 0;

  const heartbeat = async () => {
    const leases = options.held();
    const started = momentOf(clock);
    const { kept, databaseNow } = await log.renew(worker, leases, leaseMs);
    // After the database's clock was set back, leases of live workers look wrong until each worker
    // has renewed.
    if (msSince(clock, lastHeartbeat) > graceMs || databaseNow < databaseHeartbeatAt - graceMs)
      healthySince = momentOf(clock);
    lastHeartbeat = started;
    databaseHeartbeatAt = databaseNow;
    if (msSince(clock, lastHeartbeat) <= graceMs) atRisk = false;
    const byRun = new Map(kept.map((lease) => [lease.runId, lease]));
    for (const lease of leases) {
      const renewed = byRun.get(lease.runId);
      if (renewed?.epoch === lease.epoch) options.onLogAdvanced(lease.runId, renewed.lastSeq);
      else if (options.held().includes(lease)) options.onLost(lease);
    }
  };

  const heartbeatRunning = (async () => {
    while (!stopping.signal.aborted) {
      await heartbeat().catch(() => undefined);
      await clock.sleep(heartbeatMs, stopping.signal);
    }
  })();

  // Separate from the heartbeats, because they hang when the database does.
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      if (!atRisk && msSince(clock, lastHeartbeat) > graceMs) {
        atRisk = true;
        healthySince = momentOf(clock);
        options.onRisk();
      }
      await clock.sleep(heartbeatMs / 4, stopping.signal);
    }
  })();

  return {
    healthy: () => !atRisk && msSince(clock, lastHeartbeat) <= graceMs,
    takeOverUntil: () =>
      !atRisk && msSince(clock, lastHeartbeat) <= graceMs && msSince(clock, healthySince) >= graceMs
        ? databaseHeartbeatAt + graceMs
        : 0,
    async stop() {
      stopping.abort();
      await withTimeout(2_000, Promise.all([heartbeatRunning, watching]), clock);
    },
  };
}
