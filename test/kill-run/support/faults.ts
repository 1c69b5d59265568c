import { setTimeout as sleep } from "node:timers/promises";
import type { EmbeddedPostgres } from "@bron/store";
import pg from "pg";
import type { Supervised } from "./supervise.ts";

export const faultKinds = ["kill", "freeze", "restart postgres", "exhaust connections"] as const;
export type FaultKind = (typeof faultKinds)[number];

interface FaultOptions {
  readonly processes: readonly Supervised[];
  readonly postgres: EmbeddedPostgres;
  readonly random: () => number;
}

/** Breaks one thing after another until the time is over. Resolves with how often each was broken, once all is whole again. */
export async function breakThings(
  forMs: number,
  { processes, postgres, random }: FaultOptions,
): Promise<Record<FaultKind, number>> {
  const counts: Record<FaultKind, number> = {
    kill: 0,
    freeze: 0,
    "restart postgres": 0,
    "exhaust connections": 0,
  };
  const under: Promise<void>[] = [];
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const faults: Record<FaultKind, () => Promise<void> | void> = {
    kill: () => pick(processes).kill(),
    // From a hiccup to twice the lease.
    freeze: () => pick(processes).freeze(500 + random() * 9_500),
    "restart postgres": () =>
      void process.kill(postgres.pid, pick(["SIGINT", "SIGQUIT", "SIGKILL"] as const)),
    "exhaust connections": () => holdEveryConnection(postgres.url, 3_000 + random() * 9_000),
  };
  // Kills and freezes are what happens most.
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
    // A fault may meet what another one has just killed.
    under.push(
      Promise.resolve()
        .then(faults[kind])
        .catch(() => undefined),
    );
  }
  await Promise.all(under);
  return counts;
}

const mostConnections = 250;

/** As the role of the application, so that it competes with Bron for the same connections. */
async function holdEveryConnection(url: string, ms: number): Promise<void> {
  const clients: pg.Client[] = [];
  const until = Date.now() + ms;
  while (Date.now() < until && clients.length < mostConnections) {
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
