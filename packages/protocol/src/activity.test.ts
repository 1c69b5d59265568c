import { expect, it } from "vitest";
import { activityKinds, entriesOfKind, summarizeAction } from "./activity.ts";
import { auditKinds, groupOfAudit, type AuditView } from "./audit.ts";

const entry = (what: AuditView["what"], fields: Partial<AuditView> = {}): AuditView => ({
  id: 1,
  at: "2026-11-15T12:00:00Z",
  what,
  by: "bron",
  runId: null,
  actionId: "a1",
  effectId: "e1",
  approvalId: null,
  tool: "gmail_send",
  digest: null,
  details: {},
  ...fields,
});
const first = entry("effect.awaiting_confirmation", {
  details: { to: ["eva@x.example"], subject: "Crates" },
});
const asked = entry("approval.requested");

it.each([
  [[entry("effect.proposed")], "prepared"],
  [[first, asked], "waiting"],
  [[first, asked, entry("approval.approved")], "approved"],
  [[first, asked, entry("approval.approved"), entry("approval.used")], "approved"],
  [[first, asked, entry("effect.attempting")], "started"],
  [[entry("effect.attempting"), entry("effect.done")], "done"],
  [[entry("effect.failed")], "failed"],
  [[entry("effect.unknown")], "unknown"],
  [
    [entry("effect.unknown"), entry("effect.settled", { details: { as: "happened" } })],
    "settled_done",
  ],
  [
    [entry("effect.unknown"), entry("effect.settled", { details: { as: "did_not_happen" } })],
    "settled_not_done",
  ],
  [[entry("effect.done"), entry("effect.restored")], "restored"],
  [[first, asked, entry("approval.denied"), entry("effect.rejected")], "denied"],
  [
    [
      first,
      asked,
      entry("approval.denied", { details: { undone: true } }),
      entry("effect.rejected"),
    ],
    "undone",
  ],
  [[first, asked, entry("approval.expired"), entry("effect.expired")], "expired"],
  [[first, asked, entry("approval.canceled"), entry("effect.canceled")], "stopped"],
  [[first, asked, entry("approval.superseded"), entry("effect.superseded")], "prepared"],
  [[entry("effect.done"), entry("effect.vanished" as "effect.done")], "done"],
] as const)("BR25 folds the entries %# of an action into one stage", (entries, stage) => {
  expect(summarizeAction({ entries: [...entries] })?.stage).toBe(stage);
});

it("BR25 takes recipients and subject from the newest form of an action", () => {
  const entries = [
    first,
    asked,
    entry("approval.superseded", { by: "owner", details: { edited: ["to"] } }),
    entry("effect.superseded"),
    entry("effect.proposed", {
      effectId: "e2",
      details: { to: ["jo@x.example"], subject: "Crates 2" },
    }),
    entry("approval.denied", { effectId: "e2", by: "owner", details: { reason: "too early" } }),
  ];
  expect(summarizeAction({ entries })).toEqual({
    tool: "gmail_send",
    stage: "denied",
    recipients: ["jo@x.example"],
    subject: "Crates 2",
    isEdited: true,
    isAsked: true,
    reason: "too early",
  });
});

it("summarizes actions only", () => {
  expect(summarizeAction({ entries: [entry("rule.added", { actionId: null })] })).toBeUndefined();
});

it("BR25 shows every entry of the audit log under a kind", () => {
  const shown = activityKinds.flatMap((kind) => entriesOfKind(kind).groups);
  expect(auditKinds.filter((what) => !shown.includes(groupOfAudit(what)))).toEqual([]);
});
