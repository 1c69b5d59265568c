import type { Delta, PartialTextStore } from "@bron/core";
import type { PartialText, RunView } from "@bron/protocol";
import { manualClock } from "@bron/testing";
import { describe, expect, it } from "vitest";
import { createPartialTextHub } from "./partial-text-hub.ts";

/** Two processes on one store, and the number of statements that the first one sends. */
function openHubs() {
  const clock = manualClock();
  const rows = new Map<string, PartialText>();
  const sent = { puts: 0, removes: 0, notices: 0 };
  const partialTexts: PartialTextStore = {
    async put(texts) {
      sent.puts++;
      for (const [runId, text] of texts) rows.set(runId, text);
    },
    async remove(runIds) {
      sent.removes++;
      for (const runId of runIds) rows.delete(runId);
    },
    get: async (_ownerId, runId) => rows.get(runId),
  };
  const runs = { get: () => Promise.resolve({} as RunView) };
  const other = createPartialTextHub({ partialTexts, runs, clock, onWritten: () => undefined });
  const hub = createPartialTextHub({
    partialTexts,
    runs,
    clock,
    onWritten(runId) {
      sent.notices++;
      other.changed(runId);
    },
  });
  return { clock, hub, other, rows, sent };
}

const deltas: Readonly<Record<"text" | "reasoning" | "progress", (index: number) => Delta>> = {
  text: () => ({ runId: "r", step: 1, attempt: 1, kind: "text", delta: "x" }),
  reasoning: () => ({ runId: "r", step: 1, attempt: 1, kind: "reasoning", delta: "x" }),
  progress: (index) => ({
    runId: "r",
    step: 1,
    kind: "progress",
    actionId: "a",
    message: String(index),
  }),
};

describe("what a run streams to other processes", () => {
  it("RT5 costs as many statements for thoughts and progress as for text, at most ten a second", async () => {
    const counts: unknown[] = [];
    for (const kind of ["text", "reasoning", "progress"] as const) {
      const { clock, hub, sent } = openHubs();
      for (let index = 0; index < 2_000; index++) {
        hub.delta(deltas[kind](index));
        await clock.pass(1);
      }
      await clock.pass(200);
      counts.push({ ...sent });
    }
    expect(counts[0]).toMatchObject({ removes: 0 });
    expect((counts[0] as { puts: number }).puts).toBeLessThanOrEqual(21);
    expect(counts).toEqual([counts[0], counts[0], counts[0]]);
  });

  it("RT5 reaches a reader of another process, also one that comes later", async () => {
    const { clock, hub, other } = openHubs();
    const seen: (PartialText | undefined)[] = [];
    await other.subscribe("local", "r", (text) => seen.push(text));
    hub.delta(deltas.reasoning(0));
    hub.delta(deltas.text(0));
    await clock.pass(100);
    const expected = { text: "x", thoughts: { from: 0, text: "x" } };
    expect(seen.at(-1)).toMatchObject(expected);
    const late: PartialText[] = [];
    await other.subscribe("local", "r", (text) => late.push(text));
    expect(late).toMatchObject([expected]);
  });

  it("RT5 is removed with the message, and progress with the result of its tool", async () => {
    const { clock, hub, rows } = openHubs();
    hub.delta(deltas.reasoning(0));
    await clock.pass(100);
    expect(rows.get("r")?.thoughts?.text).toBe("x");
    hub.appended("r", [{ type: "status", payload: { status: "executing" } }]);
    await clock.pass(100);
    expect(rows.has("r")).toBe(false);
    hub.delta(deltas.progress(7));
    await clock.pass(100);
    // Another event of the run does not end the tool.
    hub.appended("r", [{ type: "log", payload: { level: "info", message: "A line." } }]);
    await clock.pass(100);
    expect(rows.get("r")?.progress).toEqual([{ actionId: "a", message: "7" }]);
    hub.appended("r", [
      { type: "tool", payload: { phase: "end", actionId: "a", name: "t", outcome: "completed" } },
    ]);
    await clock.pass(100);
    expect(rows.has("r")).toBe(false);
  });
});
