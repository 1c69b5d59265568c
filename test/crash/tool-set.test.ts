import { reportOutcomeName } from "@bron/protocol";
import { isFullSuite } from "@bron/testing";
import type { Script } from "@bron/demo-model";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { openHarness, type Harness } from "./support/crash-harness.ts";
import { killAtEach, pointsOf } from "./support/kill-at-each.ts";

const chosen = ["ask_user"];
const width = isFullSuite ? 3 : 2;
const leaseMs = 3_000;

/** Says what it is offered, before and after a question. The owner changes that meanwhile. */
const script: Script = ({ contents, declarations }) => {
  const has = (name: string) =>
    contents.some(({ parts }) => parts?.some((part) => part.functionResponse?.name === name));
  const offered = declarations
    .map(({ name }) => name)
    .toSorted()
    .join(" ");
  if (!has("read_fact")) return { calls: [{ name: "read_fact", args: { text: offered } }] };
  if (!has("ask_user")) return { calls: [{ name: "ask_user", args: { question: "Go on?" } }] };
  return { text: offered };
};

describe("a worker killed around a tool set", () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await openHarness(inject("postgresUrl"), { script, leaseMs });
  });
  afterAll(async () => await harness.close());

  /** Takes tools from the Bron while the run waits, then lets it go on. */
  const changeTools = async (ownerId: string) => {
    const client = harness.runtime.clientFor(ownerId);
    for (; ; await sleep(100)) {
      const [question] = await client.list("GET /api/questions");
      const [run] = await client.list("GET /api/runs");
      if (!question || !run) continue;
      await client.call("PATCH /api/brons/:id", {
        params: { id: run.bronId },
        body: { tools: chosen },
      });
      await client.call("POST /api/questions/:id/answer", {
        params: { id: question.id },
        body: { typed: "yes" },
      });
      return;
    }
  };

  /** Compares what the model said that it was offered with what the log says. */
  const judge = async (ownerId: string) => {
    const [run] = await harness.runtime.clientFor(ownerId).list("GET /api/runs");
    if (!run) return "never created";
    const ended = await harness.until(
      ownerId,
      run.id,
      ({ status }) => status === "completed" || status === "failed",
      120_000,
    );
    const events = await harness.events(ownerId, run.id);
    const sets = events.flatMap((event) =>
      event.type === "tool_set" ? [Object.keys(event.payload.tools).toSorted().join(" ")] : [],
    );
    const first = events.flatMap((event) =>
      event.type === "step" && event.payload.phase === "end"
        ? event.payload.calls.flatMap(({ tool, input }) =>
            tool === "read_fact" ? [(input as { text: string }).text] : [],
          )
        : [],
    );
    return JSON.stringify({
      status: ended.status,
      sets: sets.length,
      agree: [sets[0] === first[0], sets[1] === ended.summary],
      last: ended.summary,
    });
  };

  it(
    "X2 offers what the log says, in every worker",
    async () => {
      const baseline = await harness.start({
        work: "sweep",
        leaseMs,
        printHits: true,
        create: { ownerId: "baseline", prompt: "ask" },
      });
      await baseline.waitForLine("created");
      await changeTools("baseline");
      const done = JSON.stringify({
        status: "completed",
        sets: 2,
        agree: [true, true],
        // Every run has the tools that read long outputs and report the outcome.
        last: [...chosen, "output_read", reportOutcomeName].toSorted().join(" "),
      });
      expect(await judge("baseline")).toBe(done);
      await baseline.kill();
      const passed = pointsOf(baseline).filter(({ point }) => point !== "create:before");
      const around = passed.filter(({ point }) => point.includes("tool_set"));
      expect(around).toHaveLength(4);
      const points = isFullSuite ? passed : [around[1]!, around[2]!];
      // It sweeps rarely, so that the worker with the fault continues its run after the answer.
      await harness.start({ work: "sweep", leaseMs, sweepMs: 2_000 });
      const { failures, kills } = await killAtEach(harness, points, {
        width,
        orders: { work: "sweep", leaseMs },
        prompt: "ask",
        act: changeTools,
        judge,
        done,
      });
      expect(failures).toBe("");
      expect(kills).toBeGreaterThan(0);
      console.log(`${kills} kills around tool sets`);
    },
    isFullSuite ? 1_200_000 : 300_000,
  );
});
