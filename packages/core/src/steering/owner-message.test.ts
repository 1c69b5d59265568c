import { createLoopHarness, type LoopHarness } from "@bron/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineTool } from "../tool/define-tool.ts";

const ownerId = "local";
const correction = { messageId: "m1", content: "In French, please." };

/**
 * A run that reads once and answers. `during` is called while the tool runs, and `answering` while
 * the model writes its first answer.
 */
function open(
  hooks: {
    readonly during?: (loop: LoopHarness, runId: string) => Promise<unknown>;
    readonly answering?: (loop: LoopHarness) => Promise<unknown>;
  } = {},
): LoopHarness {
  const read = defineTool({
    name: "read",
    description: "Reads.",
    input: z.object({}),
    repeatable: true,
    async execute(_input, { runId }) {
      await hooks.during?.(loop, runId);
      return "read";
    },
  });
  let answers = 0;
  const loop: LoopHarness = createLoopHarness({
    async script({ turn }) {
      if (turn === 0) return { calls: [{ tool: "read", input: {} }] };
      if (answers++ === 0) await hooks.answering?.(loop);
      return { text: `Answer ${answers}.` };
    },
    tools: [read],
  });
  return loop;
}

/** The conversation in the order of the log. */
const conversation = async (loop: LoopHarness, runId: string) =>
  (await loop.events(runId)).flatMap((event) =>
    event.type === "message" && event.payload.content !== ""
      ? [`${event.payload.role}: ${event.payload.content}`]
      : event.type === "tool" && event.payload.phase === "end"
        ? ["result"]
        : [],
  );

describe("what the owner says to a run under way", () => {
  it("waits until open calls have results, and counts as the owner's words", async () => {
    const loop = open({
      during: (one, runId) => one.store.runs.addMessage(ownerId, runId, correction),
    });
    const run = await loop.create();
    expect(await loop.advance(run.id)).toBe("ended");
    expect(await conversation(loop, run.id)).toEqual([
      "user: do it",
      "result",
      "user: In French, please.",
      "assistant: Answer 1.",
    ]);
    expect(loop.model.calls.at(-1)?.prompt.slice(-2)).toMatchObject([
      { role: "tool" },
      { role: "user", content: [{ type: "text", text: "In French, please." }] },
    ]);
    const heard = (await loop.events(run.id)).find(
      ({ type, payload }) => type === "message" && "messageId" in payload,
    );
    expect(heard?.payload).toEqual({ role: "user", ...correction });
  });

  it("keeps the run going if it arrives together with the last message", async () => {
    const loop = open({
      async answering(one) {
        const [run] = await one.store.runs.list(ownerId, {});
        await one.store.runs.addMessage(ownerId, run!.id, correction);
      },
    });
    const run = await loop.create();
    expect(await loop.advance(run.id)).toBe("ended");
    expect(await conversation(loop, run.id)).toEqual([
      "user: do it",
      "result",
      "assistant: Answer 1.",
      "user: In French, please.",
      "assistant: Answer 2.",
    ]);
    expect(await loop.run(run.id)).toMatchObject({ status: "completed", summary: "Answer 2." });
    const next = await loop.create({ threadId: run.threadId });
    const { messages } = await loop.store.threads.tail(ownerId, run.threadId, next.id, 10);
    expect(messages.map(({ content }) => content)).toEqual([
      "do it",
      "In French, please.",
      "Answer 2.",
    ]);
  });

  it("is recorded once for each id, and refused once the run has ended", async () => {
    const loop = open();
    const run = await loop.create();
    expect(await loop.store.runs.addMessage(ownerId, run.id, correction)).toBe(true);
    expect(await loop.store.runs.addMessage(ownerId, run.id, correction)).toBe(true);
    expect(await loop.advance(run.id)).toBe("ended");
    const events = await loop.events(run.id);
    expect(events.filter(({ type }) => type === "owner_message")).toHaveLength(1);
    expect(await loop.store.runs.addMessage(ownerId, run.id, correction)).toBe(true);
    const late = { messageId: "m2", content: "Too late." };
    expect(await loop.store.runs.addMessage(ownerId, run.id, late)).toBe(false);
    expect(await loop.events(run.id)).toEqual(events);
  });
});
