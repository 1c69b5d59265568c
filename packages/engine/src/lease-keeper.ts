import type { Clock, Lease, RunLog } from "@bron/core";
import { withTimeout } from "./with-timeout.ts";

export interface LeaseKeeperOptions {
  readonly log: RunLog;
  readonly clock: Clock;
  readonly worker: string;
  readonly leaseMs: number;
  /** The runs that this worker holds now. */
  readonly held: () => readonly Lease[];
  /** The lease is gone: another worker has the run. */
  readonly onLost: (lease: Lease) => void;
  /** Someone else may have written to the run's log. */
  readonly onMoved: (runId: string, lastSeq: number) => void;
  /** Could not renew for half the lease: abort everything, start nothing. */
  readonly onRisk: () => void;
}

export interface LeaseKeeper {
  /** Whether segments may be started now. */
  healthy(): boolean;
  /** Until when, by the database's clock, the expired lease of another may be taken: only while our own beats are unbroken. */
  takeOverUntil(): number;
  stop(): Promise<void>;
}

/**
 * Renews all leases of a worker in one statement, about five times within a lease. After a pause of the database or of this
 * machine every lease looks expired; then nobody is judged until the living have had time to renew.
 */
export function startLeaseKeeper(options: LeaseKeeperOptions): LeaseKeeper {
  const { log, clock, worker, leaseMs } = options;
  const heartbeatMs = leaseMs / 5;
  const graceMs = leaseMs / 2;
  const stopping = new AbortController();
  const now = () => ({ wall: clock.now(), monotonic: clock.monotonic() });
  // A sleeping machine stops the one clock, a frozen process neither: the longer gap counts.
  const since = (mark: { wall: number; monotonic: number }) =>
    Math.max(clock.now() - mark.wall, clock.monotonic() - mark.monotonic);

  let lastHeartbeat = now();
  let unbrokenSince = now();
  let atRisk = false;
  let beatenAt = 0;

  const heartbeat = async () => {
    const leases = options.held();
    const begun = now();
    const { kept, databaseNow } = await log.renew(worker, leases, leaseMs);
    // A database's clock that was set back makes the leases of the living look strange until each has renewed its own.
    if (since(lastHeartbeat) > graceMs || databaseNow < beatenAt - graceMs) unbrokenSince = now();
    lastHeartbeat = begun;
    beatenAt = databaseNow;
    if (since(lastHeartbeat) <= graceMs) atRisk = false;
    const byRun = new Map(kept.map((lease) => [lease.runId, lease]));
    for (const lease of leases) {
      const still = byRun.get(lease.runId);
      if (still?.epoch === lease.epoch) options.onMoved(lease.runId, still.lastSeq);
      else if (options.held().includes(lease)) options.onLost(lease);
    }
  };

  const heartbeatRunning = (async () => {
    while (!stopping.signal.aborted) {
      await heartbeat().catch(() => undefined);
      await clock.sleep(heartbeatMs, stopping.signal);
    }
  })();

  // Apart from the beats, which hang when the database does.
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      if (!atRisk && since(lastHeartbeat) > graceMs) {
        atRisk = true;
        unbrokenSince = now();
        options.onRisk();
      }
      await clock.sleep(heartbeatMs / 4, stopping.signal);
    }
  })();

  return {
    healthy: () => !atRisk && since(lastHeartbeat) <= graceMs,
    takeOverUntil: () =>
      !atRisk && since(lastHeartbeat) <= graceMs && since(unbrokenSince) >= graceMs
        ? beatenAt + graceMs
        : 0,
    async stop() {
      stopping.abort();
      await withTimeout(2_000, Promise.all([heartbeatRunning, watching]), clock);
    },
  };
}
