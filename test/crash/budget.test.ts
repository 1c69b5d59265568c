import { isFullSuite } from "@bron/testing";
import { setTimeout as sleep } from "node:timers/promises";
import { isTerminal } from "@bron/protocol";
import { describe, expect, inject, it } from "vitest";
import { seededRandom } from "../support/seeded-random.ts";
import { openHarness, type HarnessWorker } from "./support/crash-harness.ts";

const random = seededRandom();

const price = { inputMicrousdPerMillion: 1_000_000, outputMicrousdPerMillion: 3_000_000 };
const maxOutputTokens = 400;
const maxKills = isFullSuite ? 4 : 1;
const runCount = isFullSuite ? 100 : 40;
/** Less than all runs cost, so that it stops some of them. */
const cap = runCount * 5_000;

type Spender = ReturnType<CrashHarness["runtime"]["clientFor"]>;
type CrashHarness = Awaited<ReturnType<typeof openHarness>>;

const limits = [
  {
    name: "X6 a money cap",
    set: ({ runtime }: CrashHarness, cap: number) => runtime.setOwnerCap("spender", cap),
    /** How many of the runs schedules start. */
    scheduled: 0,
  },
  {
    name: "X6 BR33 a budget of a month, over tasks and schedules",
    set: ({ runtime }: CrashHarness, cap: number) =>
      runtime.clientFor("spender").call("PATCH /api/budget", { body: { monthCapMicrousd: cap } }),
    scheduled: runCount / 2,
  },
];

/** Each starts once, by the sweep of any worker. */
async function addSchedules(spender: Spender, count: number): Promise<void> {
  const expression = new Date(Date.now() + 6_000).toISOString();
  await Promise.all(
    Array.from({ length: count }, (_, index) =>
      spender.call("POST /api/schedules", {
        body: { prompt: `scheduled ${index}`, kind: "once", expression, zone: "UTC" },
      }),
    ),
  );
}

describe("the limit of an owner", () => {
  it.each(limits)(
    "$name is never exceeded, even by one call: many runs at once, random prices, workers killed",
    async ({ set, scheduled }) => {
      let billed = 0;
      let calls = 0;
      // The provider's own bill. It counts every request that reached the provider, even if its
      // response was never read.
      const harness = await openHarness(inject("postgresUrl"), {
        leaseMs: 4_000,
        script: async ({ turn }) => {
          const usage = {
            promptTokenCount: 200 + Math.floor(random() * 600),
            candidatesTokenCount: Math.floor(random() * maxOutputTokens),
            thoughtsTokenCount: 0,
          };
          billed += usage.promptTokenCount + 3 * usage.candidatesTokenCount;
          calls++;
          await sleep(random() * 60);
          return turn < 6
            ? { text: "More.", usage, calls: [{ name: "read_fact", args: { text: "x" } }] }
            : { text: "Done.", usage };
        },
      });
      try {
        await set(harness, cap);
        const start = () =>
          harness.start({
            price,
            maxOutputTokens,
            limits: { perWorker: runCount / 2, perOwner: runCount },
          });
        const workers: HarnessWorker[] = [await start(), await start()];
        const spender = harness.runtime.clientFor("spender");
        const runs = await Promise.all(
          Array.from({ length: runCount - scheduled }, (_, index) =>
            spender.call("POST /api/runs", { body: { prompt: `task ${index}` } }),
          ),
        );
        await addSchedules(spender, scheduled);
        // Every run must make progress between two kills, because three claims in a row without
        // progress would fail the run for another reason.
        // One request for all runs, because one for each keeps a busy machine busy.
        const views = async () => await spender.list("GET /api/runs");
        const reached = async () =>
          new Map(
            (await views()).map(({ id, status, lastSeq }) => [
              id,
              isTerminal(status) ? Number.POSITIVE_INFINITY : lastSeq,
            ]),
          );
        let before = new Map(runs.map(({ id }) => [id, 0]));
        for (let kills = 0; kills < maxKills; kills++) {
          await sleep(300 + random() * 800);
          await expect
            .poll(
              async () =>
                [...(await reached())].filter(
                  ([id, seq]) => seq !== Number.POSITIVE_INFINITY && seq <= (before.get(id) ?? 0),
                ),
              { timeout: 60_000, interval: 100 },
            )
            .toEqual([]);
          before = await reached();
          await workers[kills % 2]!.kill();
          workers[kills % 2] = await start();
        }
        await expect
          .poll(
            async () => {
              const { schedules } = await spender.call("GET /api/schedules");
              return [
                ...schedules.filter(({ state }) => state !== "ended"),
                ...(await views()).filter(({ status }) => !isTerminal(status)),
              ].length;
            },
            { timeout: 120_000, interval: 250 },
          )
          .toBe(0);
        const ended = await views();
        // A schedule that meets a spent budget starts nothing.
        expect(ended.length).toBeGreaterThanOrEqual(runCount - scheduled);
        expect(ended.length).toBeLessThanOrEqual(runCount);
        expect(billed).toBeLessThanOrEqual(cap);
        // Bron books a call whose answer was lost at its highest price, so the books may show more than
        // the bill, never less. How much is billed in the end depends on how many answers were lost.
        const { total } = await spender.call("GET /api/usage", {});
        expect(total.costMicrousd).toBeGreaterThanOrEqual(billed);
        expect(total.costMicrousd).toBeLessThanOrEqual(cap);
        const codes = new Map<string, number>();
        for (const run of ended)
          codes.set(
            run.error?.code ?? run.status,
            (codes.get(run.error?.code ?? run.status) ?? 0) + 1,
          );
        console.log(
          `cap ${cap}, booked ${total.costMicrousd}, billed ${billed} in ${calls} calls: ${JSON.stringify(Object.fromEntries(codes))}`,
        );
        // The cap stopped runs, and no run failed for another reason. How many completed depends on how
        // many calls were lost.
        expect(codes.get("budget_exhausted")).toBeGreaterThan(0);
        expect([...codes.keys()].filter((code) => code !== "completed")).toEqual([
          "budget_exhausted",
        ]);
        // Only the cap was in the way: with a higher one, a run completes.
        await set(harness, 2 * cap);
        const last = await spender.call("POST /api/runs", { body: { prompt: "one more" } });
        await harness.until("spender", last.id, ({ status }) => status === "completed");
      } finally {
        await harness.close();
      }
    },
    240_000,
  );
});
