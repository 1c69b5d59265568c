import type { EventView } from "@bron/protocol";
import { describe, expect, it } from "vitest";
import { emptyStory, tell } from "./story.ts";

const at = { runId: "r", createdAt: "2026-11-15T12:00:00.000Z" };
const log: EventView[] = [
  { ...at, seq: 1, type: "status", payload: { status: "queued" } },
  { ...at, seq: 2, type: "message", payload: { role: "user", content: "find it" } },
  { ...at, seq: 3, type: "step", payload: { phase: "end", step: 1, attempt: 1, finish: "tool-calls", calls: [{ actionId: "a", callId: "c", tool: "gmail_search", input: { query: "invoice" } }] } },
  { ...at, seq: 4, type: "tool", payload: { phase: "start", actionId: "a", name: "gmail_search", attempt: 1 } },
  { ...at, seq: 5, type: "tool", payload: { phase: "end", actionId: "a", name: "gmail_search", outcome: "completed", output: { found: 1 } } },
  { ...at, seq: 6, type: "status", payload: { status: "completed" } },
];

describe("the story of a run", () => {
  it("BR2 has one item for a tool, from its start to its result", () => {
    const story = log.reduce(tell, emptyStory);
    expect(story.items).toEqual([
      { kind: "user", key: "2", text: "find it" },
      { kind: "tool", key: "a", tool: "gmail_search", input: { query: "invoice" }, state: "completed", output: { found: 1 } },
    ]);
    expect(story).toMatchObject({ status: "completed", seq: 6 });
  });

  it("BR7 is the same however often an event comes", () => {
    const twice = log.flatMap((event, index) => [event, ...log.slice(0, index)]);
    expect(twice.reduce(tell, emptyStory)).toEqual(log.reduce(tell, emptyStory));
  });
});
