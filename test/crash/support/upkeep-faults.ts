import type { Store } from "@bron/core";
import type { Hit } from "@bron/testing";

/**
 * Adds fault points around the work of a worker outside its runs: heartbeats, released leases,
 * expired approvals, parent runs notified of the end of a child run, and upkeep runs.
 */
export function upkeepWithFaults(store: Store, hit: Hit): Store {
  const { log, approvals, runs, upkeep } = store;
  return {
    ...store,
    log: {
      ...log,
      renew: (worker, leases, leaseMs) =>
        around(leases.length > 0 ? hit : () => undefined, "renew", () =>
          log.renew(worker, leases, leaseMs),
        ),
      release: (lease, options) => around(hit, "release", () => log.release(lease, options)),
    },
    runs: {
      ...runs,
      async notifyParents(only) {
        await hit("tell:before");
        const notified = await runs.notifyParents(only);
        if (notified > 0) await hit("tell:after");
        return notified;
      },
    },
    upkeep: {
      ...upkeep,
      async start(options) {
        await hit("upkeep:before");
        const started = await upkeep.start(options);
        if (started > 0) await hit("upkeep:after");
        return started;
      },
    },
    approvals: {
      ...approvals,
      async expireDue() {
        await hit("expire:before");
        const expired = await approvals.expireDue();
        if (expired > 0) await hit("expire:after");
        return expired;
      },
    },
  };
}

async function around<T>(hit: Hit, name: string, work: () => Promise<T>): Promise<T> {
  await hit(`${name}:before`);
  const result = await work();
  await hit(`${name}:after`);
  return result;
}
