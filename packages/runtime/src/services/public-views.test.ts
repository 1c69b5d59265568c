import { defineTool, type Tool } from "@bron/core";
import type { RunEvent } from "@bron/protocol";
import { expect, it } from "vitest";
import { z } from "zod";
import { toEventView as toEventViewWith } from "./public-views.ts";

const runId = "018f2c5e-0000-7000-8000-000000000001";

const noTools = new Map<string, Tool>();
const toEventView = (event: RunEvent, tools = noTools) => toEventViewWith(event, tools);

const entry = (event: object) =>
  ({ runId, seq: 3, createdAt: "2026-11-15T12:00:00.000Z", ...event }) as RunEvent;

it("omits what only the model may read", () => {
  const event = entry({
    type: "message",
    payload: {
      role: "assistant",
      content: "Hi",
      step: 1,
      final: true,
      parts: [{ type: "reasoning", text: "secret thought", provider: { x: { signature: "abc" } } }],
    },
  });
  expect(toEventView(event)).toEqual({
    runId,
    seq: 3,
    createdAt: "2026-11-15T12:00:00.000Z",
    type: "message",
    payload: { role: "assistant", content: "Hi", step: 1, final: true },
  });
});

it("truncates oversized outputs with a note, and keeps the others", () => {
  const tool = (output: unknown) =>
    toEventView(
      entry({
        type: "tool",
        payload: { phase: "end", actionId: "a", name: "t", outcome: "completed", output },
      }),
    ).payload;
  expect(tool({ rows: [1, 2] })).toMatchObject({ output: { rows: [1, 2] } });
  expect(tool("x".repeat(20_000))).toMatchObject({ output: "x".repeat(20_000) });
  expect(tool(`${"x".repeat(19_999)}😀😀`)).toMatchObject({
    output: `${"x".repeat(19_999)}\uFFFD\n[truncated: 20003 characters in total]`,
  });
  expect(tool({ rows: "y".repeat(50_000) })).toMatchObject({
    output: expect.stringMatching(/^\{"rows":"y{19991}\n\[truncated: 50011 characters in total\]$/),
  });
  const step = toEventView(
    entry({
      type: "step",
      payload: {
        phase: "end",
        step: 1,
        attempt: 1,
        finish: "tool-calls",
        calls: [{ actionId: "a", callId: "c", tool: "t", input: { text: "z".repeat(30_000) } }],
      },
    }),
  );
  expect(JSON.stringify(step).length).toBeLessThan(21_000);
  const effect = toEventView(
    entry({
      type: "effect",
      payload: {
        effectId: "e",
        actionId: "a",
        tool: "t",
        state: "done",
        digest: "d",
        prepared: "p".repeat(30_000),
        outcome: "o".repeat(30_000),
      },
    }),
  );
  expect(JSON.stringify(effect).length).toBeLessThan(42_000);
});

it("keeps the whole form of an effect that waits for approval, with what can be edited", () => {
  const body = "p".repeat(30_000);
  const post = defineTool({
    name: "post",
    description: "Posts.",
    input: z.object({ body: z.string() }),
    sideEffect: true,
    prepare: (prepared) => ({ prepared, preview: "Post" }),
    execute: () => "posted",
    editing: {
      fields: z.strictObject({ body: z.string().optional() }),
      valuesOf: ({ body: text }) => ({ body: text }),
      edit: (prepared) => Promise.resolve({ prepared, preview: "Post" }),
    },
  });
  const asked = (tool: string, state = "awaiting_confirmation") =>
    toEventView(
      entry({
        type: "effect",
        payload: { effectId: "e", actionId: "a", tool, state, digest: "d", prepared: { body } },
      }),
      new Map([["post", post]]),
    ).payload;
  expect(asked("post")).toMatchObject({ prepared: { body }, editable: { body } });
  expect(asked("gone")).toMatchObject({ prepared: { body } });
  expect(asked("gone")).not.toHaveProperty("editable");
  expect(asked("post", "approved")).not.toHaveProperty("editable");
  expect(JSON.stringify(asked("post", "approved")).length).toBeLessThan(21_000);
});
