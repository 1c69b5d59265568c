import { setTimeout as sleep } from "node:timers/promises";
import type { EmbeddedPostgres } from "@bron/store";
import pg from "pg";
import type { Supervised } from "./supervise.ts";

const faultKinds = ["kill", "freeze", "restart postgres", "exhaust connections"] as const;
type FaultKind = (typeof faultKinds)[number];

interface FaultOptions {
  readonly processes: readonly Supervised[];
  readonly postgres: EmbeddedPostgres;
  readonly random: () => number;
}

/**
 * Causes one fault after another until the time is over. Resolves once everything has recovered,
 * with the number of faults of each kind.
 */
export async function injectFaults(
  forMs: number,
  { processes, postgres, random }: FaultOptions,
): Promise<Record<FaultKind, number>> {
  const counts: Record<FaultKind, number> = {
    kill: 0,
    freeze: 0,
    "restart postgres": 0,
    "exhaust connections": 0,
  };
  const inProgress: Promise<void>[] = [];
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const faults: Record<FaultKind, () => Promise<void> | void> = {
    kill: () => pick(processes).kill(),
    // From a short pause to twice the lease.
    freeze: () => pick(processes).freeze(500 + random() * 9_500),
    "restart postgres": () =>
      void process.kill(postgres.pid, pick(["SIGINT", "SIGQUIT", "SIGKILL"] as const)),
    "exhaust connections": () => holdEveryConnection(postgres.url, 3_000 + random() * 9_000),
  };
  // Kills and freezes are the most frequent faults.
  const weighted = [
    ...Array<FaultKind>(5).fill("kill"),
    ...Array<FaultKind>(4).fill("freeze"),
    "restart postgres",
    "exhaust connections",
  ] as const;
  for (
    const until = Date.now() + forMs;
    Date.now() < until;
    await sleep(1_000 + random() * 3_000)
  ) {
    const kind = pick(weighted);
    counts[kind]++;
    // A fault may hit a process that another fault has just killed.
    inProgress.push(
      Promise.resolve()
        .then(faults[kind])
        .catch(() => undefined),
    );
  }
  await Promise.all(inProgress);
  return counts;
}

const maxConnections = 250;

/** Connects as the application's role, to compete with Bron for the same connections. */
async function holdEveryConnection(url: string, ms: number): Promise<void> {
  const clients: pg.Client[] = [];
  const until = Date.now() + ms;
  while (Date.now() < until && clients.length < maxConnections) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
    client.on("error", () => undefined);
    try {
      await client.connect();
      clients.push(client);
    } catch {
      await client.end().catch(() => undefined);
      await sleep(100);
    }
  }
  await sleep(Math.max(0, until - Date.now()));
  await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
}
