import { closingReasonOf, type ClosingReason } from "@bron/protocol";
import { describe, expect, it } from "vitest";
import { auditEntries } from "../audit/audit-entries.ts";
import {
  closingError,
  closingEvent,
  closingOf,
  closingOutcome,
  undoing,
  type ClosingFacts,
} from "./close-approval.ts";

const now = Date.parse("2026-01-05T09:00:00Z");
const [earlier, later] = ["2026-01-05T08:00:00.000Z", "2026-01-05T10:00:00.000Z"];
const pending = {
  state: "pending",
  digest: "d",
  expiresAt: later,
  undoUntil: null,
  reopenUntil: null,
} as const;
const approved = { ...pending, state: "approved", undoUntil: later } as const;
const denied = { ...pending, state: "denied", reopenUntil: later } as const;
const base: ClosingFacts = {
  approval: pending,
  closing: { state: "approved" },
  runStatus: "awaiting_confirmation",
  seenDigest: "d",
  now,
};
const undo = { state: "denied", undone: true } as const;
const reopen = { state: "pending", reopened: true } as const;

describe("closing an approval", () => {
  it.each<[string, Partial<ClosingFacts>]>([
    ["done", {}],
    ["done", { closing: { state: "expired" }, approval: { ...pending, expiresAt: earlier } }],
    ["done", { closing: undo, approval: approved, seenDigest: undefined }],
    ["done", { closing: reopen, approval: denied, seenDigest: undefined }],
    ["closed", { closing: reopen }],
    ["closed", { closing: reopen, approval: approved }],
    ["closed", { closing: undo, approval: denied }],
    ["late", { closing: reopen, approval: { ...denied, reopenUntil: earlier } }],
    ["late", { closing: reopen, approval: { ...denied, reopenUntil: null, undoUntil: later } }],
    ["over", { closing: reopen, approval: denied, runStatus: "canceled" }],
    ["closed", { approval: approved }],
    ["closed", { closing: undo }],
    ["due", { approval: { ...pending, expiresAt: earlier } }],
    ["not_due", { closing: { state: "expired" } }],
    ["late", { closing: undo, approval: { ...approved, undoUntil: earlier } }],
    ["late", { closing: undo, approval: { ...approved, undoUntil: null } }],
    ["mismatch", { seenDigest: "another" }],
    ["over", { runStatus: "completed" }],
  ])("is %s for %j", (outcome, facts) => {
    expect(closingOutcome({ ...base, ...facts })).toBe(outcome);
  });

  it.each<[Parameters<typeof closingError>[0], string, ClosingReason | undefined]>([
    ["closed", "approval_closed", { code: "already_closed", state: "denied" }],
    ["due", "approval_closed", { code: "already_closed", state: "expired" }],
    ["late", "approval_closed", { code: "undo_too_late" }],
    ["mismatch", "digest_mismatch", { code: "content_changed" }],
    ["over", "approval_closed", { code: "task_ended" }],
    ["not_due", "internal", undefined],
  ])("has an error with a reason for an approval that is %s", (outcome, code, why) => {
    const error = closingError(outcome, { state: "denied", digest: "d" });
    expect(error.code).toBe(code);
    expect(closingReasonOf(error.details)).toEqual(why);
  });

  it("delays a denial and an approval, but no reply", () => {
    const choice = { ownerId: "eva", approvalId: "p", digest: "d", undoMs: 5 };
    expect(closingOf({ ...choice, approved: true })).toMatchObject({ undoMs: 5 });
    expect(closingOf({ ...choice, approved: false })).toMatchObject({ undoMs: 5 });
    expect(closingOf({ ...choice, approved: false, reply: "no" })).not.toHaveProperty("undoMs");
  });

  it("lets an approval of a run that has ended expire", () => {
    const approval = { ...pending, expiresAt: earlier };
    const facts = {
      ...base,
      approval,
      closing: { state: "expired" },
      runStatus: "failed",
    } as const;
    expect(closingOutcome(facts)).toBe("done");
  });

  it("writes an event and an audit entry without times", () => {
    const ids = { id: "p", actionId: "a", effectId: "e", tool: "send", digest: "d" };
    const choice = { ownerId: "eva", approvalId: "p", digest: "d", reason: "fine", reply: "no" };
    const event = closingEvent(ids, closingOf({ ...choice, approved: true, undoMs: 5 }), "eva");
    const { id: approvalId, ...rest } = ids;
    expect(event.payload).toEqual({
      ...rest,
      approvalId,
      state: "approved",
      by: "eva",
      reason: "fine",
    });
    expect(auditEntries([event])).toEqual([
      { what: "approval.approved", by: "owner", ...rest, approvalId, details: { reason: "fine" } },
    ]);
    const denial = closingEvent(ids, closingOf({ ...choice, approved: false, undoMs: 5 }), "eva");
    expect(denial.payload).toMatchObject({ state: "denied", reply: "no", reason: "fine" });
    const reopening = closingEvent(ids, undoing("denied"), "eva");
    expect(reopening.payload).toEqual({
      ...rest,
      approvalId,
      state: "pending",
      by: "eva",
      reopened: true,
    });
    expect(auditEntries([reopening])[0]).toMatchObject({ what: "approval.reopened", by: "owner" });
    const expiry = closingEvent(ids, { state: "expired" }, "eva");
    expect(expiry.payload).toEqual({ ...rest, approvalId, state: "expired" });
    expect(auditEntries([expiry])[0]).toMatchObject({ what: "approval.expired", by: "system" });
  });
});
