import { BronError, type Store } from "@bron/core";
import { afterEach, describe, expect, inject, it } from "vitest";
import { collect, openInProcess, type InProcess } from "./support/in-process.ts";
import { formatTimeline } from "./support/crash-harness.ts";

/** Wraps a store so that its log cannot be read for the first `times` claims. */
function failingReads(times: number): (store: Store) => Store {
  let left = times;
  return (store) => ({
    ...store,
    log: {
      ...store.log,
      async claim(request) {
        const claimed = await store.log.claim(request);
        if (!claimed.claimed || left-- <= 0) return claimed;
        const defect = (): never => {
          throw new BronError("internal", "A defect in the worker");
        };
        // The observing code reads only the first event of a claim, and the loop reads all of them.
        return {
          ...claimed,
          events: new Proxy(claimed.events, {
            get: (events, key) => (key === "0" ? events[0] : defect()),
          }),
        };
      },
    },
  });
}

describe("a segment whose body throws", () => {
  let harness: InProcess | undefined;
  afterEach(async () => await harness?.close());

  it("X2 BR5 is followed by another segment that continues the run", async () => {
    const problems: string[] = [];
    harness = await openInProcess(inject("postgresUrl"), () => ({ text: "Fine." }), {
      wrap: failingReads(2),
      onProblem: (message) => problems.push(message),
    });
    const run = await harness.runtime
      .clientFor("local")
      .call("POST /api/runs", { body: { prompt: "try" } });
    const events = await collect(
      harness.runtime.logs.events("local", run.id, { signal: AbortSignal.timeout(60_000) }),
    );
    expect(events.at(-1), formatTimeline(events)).toMatchObject({
      payload: { status: "completed" },
    });
    expect(problems.filter((problem) => problem.includes("A defect in the worker"))).toHaveLength(
      2,
    );
  });

  it("BR18 ends the run with a card after three claims without progress", async () => {
    harness = await openInProcess(inject("postgresUrl"), () => ({ text: "Never said." }), {
      wrap: failingReads(1_000),
    });
    const run = await harness.runtime
      .clientFor("local")
      .call("POST /api/runs", { body: { prompt: "poison" } });
    const events = await collect(
      harness.runtime.logs.events("local", run.id, { signal: AbortSignal.timeout(60_000) }),
    );
    expect(events.at(-1), formatTimeline(events)).toMatchObject({
      type: "status",
      payload: { status: "failed", code: "run_keeps_failing" },
    });
    expect(events.at(-2)).toMatchObject({
      type: "ui",
      payload: {
        kind: "RunSummaryCard",
        payload: {
          outcome: "failed",
          error: { code: "run_keeps_failing" },
          nextAction: expect.any(String),
        },
      },
    });
    expect(
      await harness.runtime
        .clientFor("local")
        .call("GET /api/runs/:id", { params: { id: run.id } }),
    ).toMatchObject({
      status: "failed",
      error: { code: "run_keeps_failing" },
    });
  });
});
