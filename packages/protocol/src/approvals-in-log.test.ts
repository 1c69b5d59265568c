import { expect, it } from "vitest";
import { newerApproval } from "./approvals-in-log.ts";
import type { ApprovalView } from "./run.ts";

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
