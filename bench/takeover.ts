import pg from "pg";
import { setTimeout as sleep } from "node:timers/promises";
import type { Environment } from "./support/environment.ts";
import { median, quantile, type BenchmarkResult } from "./support/figures.ts";
import { startRemote } from "./support/remote-calls.ts";
import type { SubjectOrders } from "./support/subject.ts";
import type { WorkerCalls } from "./support/worker-process.ts";

const runs = 10;
/** Long enough for a statement that was in transit when its sender died. */
const settleMs = 100;
const giveUpMs = 30_000;

/**
 * Kills a worker under ten runs with SIGKILL, and measures until another one writes to each of
 * them. The tests in test/crash prove that nothing is duplicated.
 */
export async function takeover(environment: Environment): Promise<BenchmarkResult> {
  const samples: number[] = [];
  for (let repeat = 0; repeat < (environment.quick ? 1 : 5); repeat++)
    samples.push(...(await killOnce(environment)));
  return {
    figures: [
      { name: `takeover of ${runs} runs after kill -9 p50`, value: median(samples), unit: "ms" },
      {
        name: `takeover of ${runs} runs after kill -9 max`,
        value: quantile(samples, 1),
        unit: "ms",
        bar: { atMost: 10_000 },
      },
    ],
  };
}

async function killOnce({ createDatabase, modelUrl }: Environment): Promise<number[]> {
  const orders: SubjectOrders = { kind: "bron", databaseUrl: await createDatabase(), modelUrl };
  const victim = await startRemote<WorkerCalls>("worker-process.ts", orders);
  const ids = await Promise.all(
    Array.from({ length: runs }, () => victim.calls.create({ steps: 10_000, delayMs: 100 })),
  );
  const successor = await startRemote<WorkerCalls>("worker-process.ts", orders);
  const database = new pg.Client({ connectionString: orders.databaseUrl });
  await database.connect();
  try {
    await sleep(3_000);
    const killedAt = Date.now();
    await victim.kill();
    await sleep(settleMs);
    const { rows } = await database.query<{ id: string; last_seq: number }>(
      "select id, last_seq from runs where id = any($1)",
      [ids],
    );
    const ends = JSON.stringify(
      Object.fromEntries(rows.map(({ id, last_seq: lastSeq }) => [id, lastSeq])),
    );
    for (;;) {
      const taken = await database.query<{ at: Date }>(
        "select min(created_at) as at from run_events where run_id = any($1) and seq > ($2::jsonb ->> run_id::text)::int group by run_id",
        [ids, ends],
      );
      if (taken.rows.length === runs) return taken.rows.map(({ at }) => at.getTime() - killedAt);
      if (Date.now() - killedAt > giveUpMs)
        throw new Error(
          `Only ${taken.rows.length} of ${runs} runs were taken over within ${giveUpMs} ms`,
        );
      await sleep(100);
    }
  } finally {
    await database.end();
    await successor.kill();
  }
}
