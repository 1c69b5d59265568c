import type { AuditView } from "@bron/protocol";
import { expect, it } from "vitest";
import { activityCells } from "./activity.ts";

const entry = (fields: Partial<AuditView>): AuditView => ({
  id: 1,
  at: "2026-11-15T12:00:00Z",
  what: "effect.done",
  by: "bron",
  runId: "3f9a1c20-0000-4000-8000-000000000000",
  actionId: "a1",
  effectId: "e1",
  approvalId: null,
  tool: "gmail_send",
  digest: null,
  details: {},
  ...fields,
});
const at = "2026-11-15T12:00:00Z";

it("BR25 shows an action with its life in one row of the terminal", () => {
  const entries = [
    entry({ what: "effect.proposed", details: { to: ["eva@x.example"], subject: "Crates\nnow" } }),
    entry({ what: "approval.requested" }),
    entry({ what: "approval.denied", by: "owner", details: { reason: "later" } }),
    entry({ what: "effect.rejected" }),
  ];
  expect(activityCells({ id: 1, at, task: null, entries }).slice(1)).toEqual([
    "gmail_send",
    "declined",
    "3f9a1c20",
    "to eva@x.example · “Crates now” · reason: later",
  ]);
});

it("BR25 says that an action was done without asking", () => {
  const entries = [entry({})];
  expect(activityCells({ id: 1, at, task: null, entries }).at(-1)).toBe("without asking");
});

it("BR25 shows any other entry as it is", () => {
  const entries = [
    entry({
      what: "allowed.added",
      tool: null,
      runId: null,
      actionId: null,
      details: { value: "x.example" },
    }),
  ];
  expect(activityCells({ id: 1, at, task: null, entries }).slice(1)).toEqual([
    "allowed.added",
    "",
    "",
    "value x.example",
  ]);
});
