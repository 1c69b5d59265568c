import { expect, it } from "vitest";
import { applyToApprovals, newerApproval, noApprovals } from "./approvals-in-log.ts";
import type { ApprovalView } from "./run.ts";
import type { EventView } from "./wire.ts";

const approval = (state: ApprovalView["state"], preview = "") =>
  ({ id: "a1", state, preview }) as ApprovalView;

it("prefers the log, unless a response is ahead of it", () => {
  const [pending, approved, denied] = [
    approval("pending"),
    approval("approved"),
    approval("denied"),
  ];
  expect(newerApproval(pending, approved)).toBe(approved);
  expect(newerApproval(approved, denied)).toBe(denied);
  expect(newerApproval(denied, approved)).toBe(denied);
  expect(newerApproval(pending, approval("pending", "stale"))).toBe(pending);
  expect(newerApproval(undefined, approved)).toBe(approved);
  expect(newerApproval(approved, undefined)).toBe(approved);
  expect(newerApproval(undefined, undefined)).toBeUndefined();
});

it("X1 prefers what knows of more denials that were undone", () => {
  const denied = { ...approval("denied"), reopened: 0 };
  const reopened = { ...approval("pending"), reopened: 1 };
  expect(newerApproval(denied, reopened)).toBe(reopened);
  expect(newerApproval(reopened, denied)).toBe(reopened);
  const again = { ...reopened, state: "denied" as const };
  expect(newerApproval(reopened, again)).toBe(again);
});

it("X1 follows a denial that is undone in the log", () => {
  const ids = { approvalId: "a1", actionId: "c1", effectId: "e1", tool: "send", digest: "d" };
  const log = [
    { type: "effect", payload: { ...ids, state: "awaiting_confirmation", prepared: {} } },
    { type: "approval", payload: { ...ids, state: "pending", expiresAt: "2026-11-20T09:00:00Z" } },
    {
      type: "approval",
      payload: { ...ids, state: "denied", reason: "no", reopenUntil: 1_000, expiresAt: "later" },
    },
    { type: "approval", payload: { ...ids, state: "pending", reopened: true } },
  ].map((event, index) => ({ ...event, runId: "r1", createdAt: `at ${index}` }) as EventView);
  const after = (count: number) =>
    log.slice(0, count).reduce(applyToApprovals, noApprovals).approvals.get("a1")?.approval;
  expect(after(3)).toMatchObject({
    state: "denied",
    reopenUntil: "1970-01-01T00:00:01.000Z",
    decisionReason: "no",
  });
  expect(after(4)).toEqual({ ...after(2), expiresAt: "later", reopened: 1 });
});
