import { isFullSuite } from "@bron/testing";
import type { Script } from "@bron/demo-model";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { openHarness, type Harness } from "./support/crash-harness.ts";
import { killAtEach, pointsOf, type FaultPoint } from "./support/kill-at-each.ts";

const width = 3;
const leaseMs = 3_000;

/**
 * The first output does not match the schema, so that every run also repairs one. The model declares
 * no outcome, so that it is asked for one.
 */
const script: Script = ({ system, turn }) => {
  if (system.startsWith("[AUXILIARY CALL outcome")) return { text: '{"outcome":"could_not"}' };
  if (!system.startsWith("[AUXILIARY CALL topic]")) return { text: "Done." };
  return { text: turn === 0 ? '{"topic":1}' : '{"topic":"work"}' };
};

describe("a worker killed around an auxiliary call", () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await openHarness(inject("postgresUrl"), { script, leaseMs });
  });
  afterAll(async () => await harness.close());

  const judge = async (ownerId: string) => {
    const [run] = await harness.runtime.clientFor(ownerId).list("GET /api/runs");
    if (!run) return "never created";
    const ended = await harness.until(
      ownerId,
      run.id,
      ({ status }) => status === "completed" || status === "failed",
      120_000,
    );
    const { events } = await harness.runtime.logs.read(ownerId, run.id, {
      afterSeq: 0,
      limit: 1_000,
    });
    const ends = events.flatMap((event) =>
      event.type === "auxiliary_call" && event.payload.phase === "end"
        ? [event.payload.output]
        : [],
    );
    const starts = events.filter(
      (event) => event.type === "auxiliary_call" && event.payload.phase === "start",
    ).length;
    const steps = new Set(
      events.flatMap((event) => (event.type === "step" ? [event.payload.step] : [])),
    ).size;
    const cost = events.reduce(
      (sum, event) => sum + (event.type === "usage" ? event.payload.costMicrousd : 0),
      0,
    );
    return [
      `${ended.status} (${ended.outcome})`,
      JSON.stringify(ends),
      `${steps} step`,
      starts <= 5 ? "few starts" : `${starts} starts`,
      cost === ended.spentMicrousd ? "all charged" : `${cost} of ${ended.spentMicrousd} charged`,
    ].join(", ");
  };
  const done =
    'completed (could_not), [{"topic":"work"},{"outcome":"could_not"}], 1 step, few starts, all charged';
  const orders = {
    work: "own",
    leaseMs,
    asksTopic: true,
    price: { inputMicrousdPerMillion: 1_000_000, outputMicrousdPerMillion: 1_000_000 },
    maxOutputTokens: 400,
  } as const;

  it(
    "X2 X6 gets one result, stays charged and counts as no step",
    async () => {
      const first = await harness.start({
        ...orders,
        printHits: true,
        create: { ownerId: "baseline", prompt: "go" },
      });
      await first.waitForLine("created");
      expect(await judge("baseline")).toBe(done);
      await first.kill();
      const passed = pointsOf(first);
      const isChosen = ({ point, occurrence }: FaultPoint) =>
        (occurrence === 1 && /^append\(.*auxiliary_call\.start.*\):after/.test(point)) ||
        /^append\(.*auxiliary_call\.end.*\):before/.test(point);
      const chosen = isFullSuite ? passed : passed.filter(isChosen).slice(0, 2);
      expect(chosen.length).toBeGreaterThanOrEqual(2);
      await harness.start({ ...orders, work: "sweep" });
      const { failures } = await killAtEach(harness, chosen, {
        width,
        orders,
        prompt: "go",
        judge,
        done,
      });
      expect(failures).toBe("");
      console.log(`${chosen.length} kills around an auxiliary call`);
    },
    isFullSuite ? 1_200_000 : 300_000,
  );
});
