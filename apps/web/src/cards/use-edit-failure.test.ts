import type { ActionView, ApprovalView } from "@bron/protocol";
import { expect, it } from "vitest";
import { queries } from "../live/queries.ts";
import { renderHook, testQueryClient } from "../render-hook.fixture.tsx";
import { texts } from "../texts.ts";
import { useEditFailure } from "./use-edit-failure.ts";

const edited = {
  id: "a1",
  runId: "r1",
  actionId: "x1",
  state: "superseded",
  createdAt: "2026-11-15T12:00:00.000Z",
} as ApprovalView;
const later = { ...edited, id: "a2", state: "pending", createdAt: "2026-11-15T12:01:00.000Z" };

function explain(
  approval: ApprovalView,
  approvals: readonly Partial<ApprovalView>[],
  action: Partial<ActionView> = { state: "awaiting_confirmation" },
): string | undefined {
  const client = testQueryClient();
  const actions = [{ id: "x1", ...action }] as ActionView[];
  client.setQueryData(queries.actions("r1").queryKey, actions);
  client.setQueryData(queries.approvalsOf("r1").queryKey, approvals as ApprovalView[]);
  return renderHook(client, () => useEditFailure(approval));
}

it("says nothing about an edit that led to a new version", () => {
  const diff = [{ field: "to", from: "a", to: "b" }] as unknown as ApprovalView["diff"];
  expect(explain(edited, [edited, { ...later, diff } as ApprovalView])).toBeUndefined();
});

it("does not take an approval for its own successor", () => {
  const own = { ...edited, createdAt: "2026-11-15T12:00:00.005Z", diff: [] } as ApprovalView;
  expect(explain(edited, [own])).toBeUndefined();
});

it("says that the original waits if the edit could not be applied", () => {
  expect(explain(edited, [edited, { ...later, diff: [] } as ApprovalView])).toBe(
    texts.approval.originalWaits,
  );
});

it("shows why the tool rejected the edit if the run does not ask again", () => {
  const failed = { state: "failed", error: { code: "tool_failed", message: "no\u202Esuch" } };
  const explained = explain(edited, [edited], failed as Partial<ActionView>);
  expect(explained).toContain("such");
  expect(explained).not.toContain("\u202E");
});

it("ignores approvals of other actions, and approvals that were not edited", () => {
  const other = { ...later, actionId: "x2", diff: [] } as ApprovalView;
  expect(explain(edited, [edited, other])).toBeUndefined();
  expect(explain({ ...edited, state: "denied" }, [other])).toBeUndefined();
});
