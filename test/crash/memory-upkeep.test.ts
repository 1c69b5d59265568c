import { isFullSuite } from "@bron/testing";
import type { Script } from "@bron/demo-model";
import { openDatabase } from "@bron/store";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { openHarness, type Harness } from "./support/crash-harness.ts";
import { killAtEach, pointsOf } from "./support/kill-at-each.ts";

const leaseMs = 3_000;
const width = 3;
const summary = "Likes tea.";

const script: Script = ({ system }) =>
  system.startsWith("[MEMORY SUMMARY]") ? { text: summary } : { text: "Done." };

describe.skipIf(!isFullSuite)("a worker killed around the renewal of the memory", () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await openHarness(inject("postgresUrl"), { script, leaseMs });
  });
  afterAll(async () => await harness.close());

  /** How many upkeep runs an owner has, and how many of them wrote a summary. */
  const countUpkeep = async (ownerId: string) => {
    const database = await openDatabase({ url: harness.databaseUrl });
    try {
      const { rows } = await database.pool.query<{ runs: number; written: number }>(
        `select count(*)::int as runs, count(*) filter (where exists (
           select from run_log l where l.run_id = r.id and l.events::text like '%"of":"memory"%'))::int as written
         from runs r where owner_id = $1 and kind = 'upkeep'`,
        [ownerId],
      );
      return rows[0];
    } finally {
      await database.close();
    }
  };
  const judge = async (ownerId: string) => {
    const client = harness.runtime.clientFor(ownerId);
    const [run] = await client.list("GET /api/runs");
    if (!run) return "never created";
    const isOver = ({ status }: { readonly status: string }) => status === "completed";
    await harness.until(ownerId, run.id, isOver, 120_000);
    const read = async () =>
      (await client.call("GET /api/brons/:id", { params: { id: run.bronId } })).memorySummary;
    await expect.poll(read, { timeout: 120_000, interval: 250 }).toBe(summary);
    return JSON.stringify(await countUpkeep(ownerId));
  };
  const done = JSON.stringify({ runs: 1, written: 1 });
  const orders = { work: "sweep", leaseMs, upkeepAfterMs: 0 } as const;

  it("BR15 X2 writes one summary, and loses none", async () => {
    const first = await harness.start({
      ...orders,
      printHits: true,
      create: { ownerId: "baseline", prompt: "I like tea." },
    });
    await first.waitForLine("created");
    expect(await judge("baseline")).toBe(done);
    await first.kill();
    const points = [
      ...pointsOf(first),
      { point: "upkeep:before", occurrence: 1 },
      { point: "upkeep:before", occurrence: 2 },
      { point: "upkeep:after", occurrence: 1 },
    ];
    expect(points.some(({ point }) => point.includes("summary"))).toBe(true);
    await harness.start({ ...orders });
    const { failures, kills } = await killAtEach(harness, points, {
      width,
      orders,
      prompt: "I like tea.",
      judge,
      done,
    });
    expect(failures).toBe("");
    console.log(`${kills} kills around the renewal of the memory`);
  }, 1_200_000);
});
