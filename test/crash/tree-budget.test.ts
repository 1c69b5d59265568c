import { isFullSuite } from "@bron/testing";
import { isTerminal } from "@bron/protocol";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, inject, it } from "vitest";
import { seededRandom } from "../support/seeded-random.ts";
import { openHarness, type HarnessWorker } from "./support/crash-harness.ts";

const random = seededRandom();
const price = { inputMicrousdPerMillion: 1_000_000, outputMicrousdPerMillion: 3_000_000 };
const maxOutputTokens = 400;
const kills = 4;
const childCount = 100;

/** `packages/core/src/budget/tree-budget.property.test.ts` is the short form in `npm test`. */
describe.runIf(isFullSuite)("the money cap of a tree", () => {
  it("X6 is never exceeded, even by one call: 100 children at once, random prices, workers killed", async () => {
    let billed = 0;
    let calls = 0;
    const harness = await openHarness(inject("postgresUrl"), {
      leaseMs: 4_000,
      script: async ({ task, turn, results }) => {
        const usage = {
          promptTokenCount: 200 + Math.floor(random() * 600),
          candidatesTokenCount: Math.floor(random() * maxOutputTokens),
          thoughtsTokenCount: 0,
        };
        billed += usage.promptTokenCount + 3 * usage.candidatesTokenCount;
        calls++;
        await sleep(random() * 60);
        if (task !== "all")
          return turn < 6
            ? { text: "More.", usage, calls: [{ name: "read_fact", args: { text: "x" } }] }
            : { text: "Done.", usage };
        if (turn === 0)
          return {
            usage,
            calls: Array.from({ length: childCount }, (_, index) => ({
              name: "spawn_bron",
              args: { title: `child ${index}`, prompt: `child ${index}` },
            })),
          };
        const spawned = results.flatMap(({ name, response: { content } }) =>
          name === "spawn_bron"
            ? [
                (typeof content === "string" ? JSON.parse(content) : content) as Record<
                  string,
                  unknown
                >,
              ]
            : [],
        );
        return turn === 1
          ? { usage, calls: spawned.map(({ runId }) => ({ name: "await_bron", args: { runId } })) }
          : { text: "Done.", usage };
      },
    });
    try {
      const cap = 900_000;
      const start = () =>
        harness.start({ price, maxOutputTokens, limits: { perWorker: 60, perOwner: 120 } });
      const workers: HarnessWorker[] = [await start(), await start()];
      const root = await harness.runtime.clientFor("spender").call("POST /api/runs", {
        body: {
          prompt: "all",
          caps: { costMicrousd: cap, children: childCount, toolCalls: 400, modelTurns: 30 },
        },
      });
      for (let kill = 0; kill < kills; kill++) {
        await sleep(1_500 + random() * 1_500);
        await workers[kill % 2]!.kill();
        workers[kill % 2] = await start();
      }
      const isOver = ({ status }: { status: Parameters<typeof isTerminal>[0] }) =>
        isTerminal(status);
      await harness.until("spender", root.id, isOver, 300_000);
      const runs = await harness.runtime.clientFor("spender").list("GET /api/runs", { limit: 200 });
      const children = runs.filter(({ parentRunId }) => parentRunId === root.id);
      expect(children).toHaveLength(childCount);
      const ended = await Promise.all(
        children.map(({ id }) => harness.until("spender", id, isOver, 120_000)),
      );
      const codes = new Map<string, number>();
      for (const { error, status } of ended)
        codes.set(error?.code ?? status, (codes.get(error?.code ?? status) ?? 0) + 1);
      console.log(
        `cap ${cap}, billed ${billed} in ${calls} calls: ${JSON.stringify(Object.fromEntries(codes))}`,
      );
      expect(billed).toBeLessThanOrEqual(cap);
      // A call whose answer was lost is booked at its highest price: the books never show less than
      // the bill.
      const { total } = await harness.runtime.clientFor("spender").call("GET /api/usage", {});
      expect(total.costMicrousd).toBeGreaterThanOrEqual(billed);
      expect(total.costMicrousd).toBeLessThanOrEqual(cap);
      expect(codes.get("budget_exhausted") ?? 0).toBeGreaterThan(0);
    } finally {
      await harness.close();
    }
  }, 600_000);
});
