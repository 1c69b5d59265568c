import type { AuditView } from "@bron/protocol";
import { expect, it } from "vitest";
import { actionSentence, allowedWords, lifeSentence, sentence } from "./audit-sentence.ts";

const row = (fields: Partial<AuditView>): AuditView => ({
  id: 1,
  at: "2026-11-15T12:00:00Z",
  what: "approval.approved",
  by: "owner",
  runId: null,
  actionId: null,
  effectId: null,
  approvalId: null,
  tool: null,
  digest: null,
  details: {},
  ...fields,
});

it.each([
  [
    row({
      what: "effect.done",
      by: "bron",
      tool: "gmail_send",
      details: { to: ["eva@x.example"], bcc: ["max@x.example"] },
    }),
    "Sent an email to eva@x.example, max@x.example",
  ],
  [
    row({
      what: "rule.changed",
      tool: "gmail_*",
      details: { tool: "gmail_*", verdict: "deny", bronId: null },
    }),
    "You set the rule for all email tools: block",
  ],
  [
    row({ what: "rule.removed", tool: "crm_note_add", details: { verdict: "ask" } }),
    "You removed the rule for crm note add: ask",
  ],
  [
    row({ what: "grant.given", tool: "gmail_send", details: { recipient: "eva@x.example" } }),
    "You temporarily allowed sending an email to eva@x.example",
  ],
  [
    row({ what: "bron.created", details: { name: "Post", trustLevel: "supervised" } }),
    "You created Bron Post",
  ],
  [
    row({
      what: "connection.connected",
      details: { provider: "google", account: "mara@x.example" },
    }),
    "You connected Google, mara@x.example",
  ],
  [
    row({
      what: "connection.disconnected",
      details: { provider: "slack-simulated", account: "Cargo" },
    }),
    "You disconnected Slack (simulated), Cargo",
  ],
  [
    row({ what: "approval.expired", by: "system", tool: "gmail_send" }),
    "Approval to send an email expired",
  ],
  [
    row({ what: "allowed.added", details: { value: "e\u202evil.example" } }),
    "You added e\\u{202e}vil.example to trusted contacts",
  ],
  [
    row({ what: "effect.vanished" as "effect.done", by: "bron", tool: "gmail_send" }),
    "Bron effect.vanished",
  ],
])("BR25 writes entry %# as a sentence", (entry, words) => {
  expect(sentence(entry)).toBe(words);
});

it.each([
  ["happened", "You marked this as done: send an email"],
  ["did_not_happen", "You marked this as not done: send an email"],
])("X2 says how an effect was settled: %s", (as, text) => {
  expect(sentence(row({ what: "effect.settled", tool: "gmail_send", details: { as } }))).toBe(text);
});

it("BR25 names the request that was denied", () => {
  const denied = row({
    what: "approval.denied",
    tool: "gmail_send",
    details: { to: ["eva@x.example"] },
  });
  expect(sentence(denied)).toBe("You denied the request to send an email to eva@x.example");
});

it.each([
  ["waiting", "Waiting for your approval to send an email to eva@x.example"],
  ["done", "Sent an email to eva@x.example"],
  ["denied", "You declined to send an email to eva@x.example"],
  ["failed", "Couldn't send an email to eva@x.example"],
] as const)("BR25 tells an action that is %s in one sentence", (stage, words) => {
  const summary = {
    tool: "gmail_send",
    stage,
    recipients: ["eva@x.example"],
    subject: undefined,
    isEdited: false,
    isAsked: true,
    reason: undefined,
  };
  expect(actionSentence(summary)).toBe(words);
});

it.each([
  [{ stage: "done", isAsked: true, isEdited: false }, "You approved it"],
  [{ stage: "done", isAsked: true, isEdited: true }, "You edited and approved it"],
  [{ stage: "done", isAsked: false, isEdited: false }, "No approval needed"],
  [{ stage: "waiting", isAsked: true, isEdited: false }, undefined],
  [{ stage: "denied", isAsked: true, isEdited: false }, undefined],
] as const)("BR25 says how an action was allowed: %j", (summary, words) => {
  expect(allowedWords(summary)).toBe(words);
});

it.each([
  [row({ what: "approval.superseded" }), "You edited it"],
  [row({ what: "approval.denied", details: { undone: true } }), "You undid the approval"],
  [row({ what: "effect.vanished" as "effect.done", tool: "gmail_send" }), "You effect.vanished"],
])("BR25 tells the life of an action in short sentences", (entry, words) => {
  expect(lifeSentence(entry)).toBe(words);
});
