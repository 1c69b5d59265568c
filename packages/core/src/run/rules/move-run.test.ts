import { createLoopHarness } from "@bron/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { BronError } from "../../errors.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { checkMove, type MovableRun } from "./move-run.ts";

const ownerId = "local";
const run: MovableRun = {
  parentRunId: null,
  status: "executing",
  cancelRequested: false,
  isHeld: false,
};

describe("a run", () => {
  it.each([
    ["with child runs that no worker holds", run, undefined],
    ["that is a child run", { ...run, parentRunId: "above" }, "child_run_moved"],
    ["that has ended", { ...run, status: "failed" }, "task_ended"],
    ["that is canceled", { ...run, cancelRequested: true }, "task_stopped"],
    ["that a worker holds", { ...run, isHeld: true }, "task_held"],
  ] as const)("%s is moved, or not and why", (_name, movable, code) => {
    const move = () => checkMove(movable, [{ ...run, parentRunId: "above" }]);
    if (code === undefined) expect(move).not.toThrow();
    else expect(move).toThrow(expect.objectContaining({ details: { why: { code } } }));
  });

  it("is not moved while a worker holds one of its child runs", () => {
    expect(() => checkMove(run, [run, { ...run, isHeld: true }])).toThrow(
      expect.objectContaining({ code: "conflict", details: { why: { code: "task_held" } } }),
    );
  });

  it("X2 is ended elsewhere without looking there for what became of an attempt", async () => {
    let looks = 0;
    const send = defineTool({
      name: "send",
      description: "Sends.",
      input: z.object({}),
      sideEffect: true,
      execute: () => "sent",
      reconcile: () => {
        looks++;
        return Promise.resolve({ state: "not_done" });
      },
    });
    const harness = createLoopHarness({
      script: () => ({ calls: [{ tool: "send", input: {} }] }),
      tools: [send],
    });
    const { id } = await harness.create();
    expect(await harness.advance(id)).toBe("parked");
    await harness.decide(id, true);
    const { log, runs } = harness.store;
    const worker = new AbortController();
    const dying = {
      ...log,
      async append(request: Parameters<typeof log.append>[0]) {
        const result = await log.append(request);
        if (request.events.some(({ type }) => type === "effect"))
          worker.abort(new BronError("lease_lost", "The worker died."));
        return result;
      },
    };
    expect(await harness.advance(id, { log: dying }, worker.signal)).toBe("released");
    await harness.clock.pass(2 * 3_600_000);
    await runs.move(ownerId, id, { process: "gone" });
    await runs.requestCancel(ownerId, id);
    expect(await harness.advance(id)).toBe("ended");
    expect(await runs.effects(ownerId, id)).toMatchObject([{ state: "unknown" }]);
    expect(looks).toBe(0);
  });
});
