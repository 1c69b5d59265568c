import type { EventView } from "@bron/protocol";
import { describe, expect, it } from "vitest";
import { applyEvents, emptyTimeline, hasChildren } from "./timeline.ts";
import { waitOf } from "./wait-of.ts";

const at = { runId: "r", createdAt: "2026-11-15T12:00:00.000Z" };
type Entry<One = EventView> = One extends EventView ? Pick<One, "type" | "payload"> : never;

const timelineOf = (...events: readonly Entry[]) =>
  applyEvents(
    emptyTimeline,
    events.map((event, index) => ({ ...at, seq: index + 1, ...event })),
  );
const start = (actionId: string): Entry => ({
  type: "tool",
  payload: { phase: "start", actionId, name: "spawn_bron", attempt: 1 },
});
const end = (actionId: string): Entry => ({
  type: "tool",
  payload: { phase: "end", actionId, name: "spawn_bron", outcome: "completed", output: {} },
});
const child = (
  childRunId: string,
  payload: Partial<Extract<EventView, { type: "child_run" }>["payload"]>,
): Entry => ({
  type: "child_run",
  payload: { childRunId, title: `Task ${childRunId}`, status: "queued", ...payload },
});

describe("child runs in a timeline", () => {
  it("BR16 are in the step that started them, with their latest state", () => {
    const { items } = timelineOf(
      start("a"),
      start("b"),
      child("1", { spawnedBy: "a" }),
      child("2", { spawnedBy: "b" }),
      child("3", { spawnedBy: "a" }),
      end("a"),
      child("1", { status: "executing", actionId: "c" }),
      child("3", { status: "failed", error: { code: "cap_time" } }),
      child("2", { status: "completed", notDone: 1 }),
    );
    expect(items).toMatchObject([
      {
        kind: "tool",
        key: "a",
        state: "completed",
        children: [
          { runId: "1", status: "executing", title: "Task 1" },
          { runId: "3", status: "failed", error: { code: "cap_time" } },
        ],
      },
      { key: "b", children: [{ runId: "2", status: "completed", notDone: 1 }] },
    ]);
  });

  it("BR16 are named by the step that waits for them", () => {
    const calls = [{ actionId: "b", callId: "c", tool: "await_bron", input: { runId: "1" } }];
    const planned: Entry = {
      type: "step",
      payload: { phase: "end", step: 1, attempt: 1, finish: "tool-calls", calls },
    };
    const { items } = timelineOf(start("a"), child("1", { spawnedBy: "a" }), planned, start("b"));
    expect(items[1]).toMatchObject({ key: "b", about: "Task 1" });
    expect(items[0]).not.toHaveProperty("about");
  });

  it("BR16 have an item of their own if the log does not have their step", () => {
    const timeline = timelineOf(child("1", {}), child("1", { status: "completed" }));
    expect(timeline.items).toMatchObject([{ kind: "child", runId: "1", status: "completed" }]);
    expect(hasChildren(timeline)).toBe(true);
    expect(hasChildren(timelineOf(start("a")))).toBe(false);
  });
});

describe("what a run waits for", () => {
  const question = (state: "pending" | "answered"): Entry => ({
    type: "question",
    payload: { questionId: "q", actionId: "a", state, text: "Which?" },
  });
  const approval = (state: "pending" | "approved"): Entry => ({
    type: "approval",
    payload: { approvalId: "p", actionId: "b", effectId: "e", tool: "send", digest: "d", state },
  });
  const status = (to: "awaiting_confirmation" | "awaiting_auth" | "canceled"): Entry => ({
    type: "status",
    payload: { status: to },
  });

  it("BR2 is the approval before the question, and nothing once both are decided", () => {
    const asked = [question("pending"), approval("pending"), status("awaiting_confirmation")];
    expect(waitOf(timelineOf(...asked))).toEqual({ kind: "approval" });
    expect(waitOf(timelineOf(...asked, approval("approved")))).toEqual({ kind: "question" });
    expect(waitOf(timelineOf(...asked, approval("approved"), question("answered")))).toBeNull();
    expect(waitOf(timelineOf(...asked, status("canceled")))).toBeNull();
  });

  it("BR2 is said in the timeline: an approval, a question or a subtask", () => {
    const lastOf = (...events: readonly Entry[]) =>
      timelineOf(...events, status("awaiting_confirmation")).items.at(-1);
    expect(lastOf(approval("pending"))).not.toHaveProperty("asks");
    expect(lastOf(question("pending"))).toMatchObject({ kind: "status", asks: "question" });
    expect(lastOf(start("a"), child("1", { spawnedBy: "a" }))).toMatchObject({ asks: "child" });
  });

  it("BR2 is a program only if no other step is running", () => {
    const client: Entry = {
      type: "client_action",
      payload: { actionId: "a", state: "pending", program: "page", expiresAt: at.createdAt },
    };
    expect(waitOf(timelineOf(start("a"), client))).toEqual({ kind: "program", program: "page" });
    expect(waitOf(timelineOf(start("a"), start("b"), client))).toBeNull();
    expect(waitOf(timelineOf(start("a"), client, end("a")))).toBeNull();
    expect(waitOf(timelineOf(status("awaiting_auth")))).toEqual({ kind: "sign_in" });
  });
});
