import { trustLevels } from "@bron/protocol";
import { describe, expect, it } from "vitest";
import type { Intent, ResolvedAsk } from "../../intent/intent.ts";
import type { DeniedEffect } from "../denied-effect.ts";
import type { EffectFacts } from "../effect-facts.ts";
import { judge } from "../judge.ts";
import type { JudgeInput } from "../judge-input.ts";
import { defaultRules } from "../permissions/rules.ts";
import { noLabels, withContext, withOwnerWords } from "../run-labels.ts";

const jonas = "jonas@lindqvist.example";
const mallory = "mallory@evil.example";

const mailTo = (addresses: readonly string[], more: Partial<EffectFacts> = {}): EffectFacts => ({
  kind: "mail",
  account: "mara@lindqvist.example",
  recipients: addresses.map((address) => ({ address, role: "to" })),
  hosts: [],
  attachments: [],
  warnings: [],
  ...more,
});
const page = (url: string): EffectFacts => ({
  ...mailTo([]),
  kind: "fetch",
  hosts: [new URL(url).host],
  things: [{ kind: "url", id: url, title: url }],
});
const ask = (more: Partial<ResolvedAsk>): Intent => ({
  effect: more.effect ?? "send_mail",
  asks: [
    {
      key: "w1:0-4:send_mail",
      order: 0,
      effect: "send_mail",
      words: "Send",
      times: "once",
      people: new Set(),
      byReference: new Set(),
      things: new Set(),
      fields: [],
      dictated: [],
      ...more,
    },
  ],
  prohibitions: [],
  used: new Set(),
  crossedOut: new Set(),
});
const denied = (facts: EffectFacts, more: Partial<DeniedEffect> = {}): DeniedEffect => ({
  tool: "gmail_send",
  facts,
  cause: "denied",
  words: "",
  isSame: false,
  isBeforeNewWords: false,
  ...more,
});
const decide = (input: Partial<JudgeInput>) => {
  const { verdict, reasons } = judge({
    tool: "gmail_send",
    seenBy: "others",
    effectKind: "send_mail",
    intent: ask({ people: new Set([jonas]) }),
    facts: mailTo([jonas]),
    labels: withOwnerWords(noLabels, `Write to ${jonas}`),
    rules: { ...defaultRules, trustLevel: "autonomous" },
    ...input,
  });
  const codes = reasons.map((reason) => (typeof reason === "string" ? reason : reason.code));
  return [verdict, ...codes];
};

describe("what the owner denied earlier in the task", () => {
  it("X3 stays denied outside of the asks, at every trust level and by any tool", () => {
    for (const trustLevel of trustLevels)
      for (const tool of ["gmail_send", "calendar_event_create", "post_note"])
        expect(
          decide({
            tool,
            facts: mailTo([mallory], { kind: tool === "gmail_send" ? "mail" : "event" }),
            rules: { ...defaultRules, trustLevel },
            denials: [denied(mailTo([mallory, jonas]))],
          }),
        ).toEqual(["deny", "denied_before"]);
  });

  it("X3 stays denied if the words were not read, and for tools that words cannot ask for", () => {
    const denials = [denied(mailTo([mallory]))];
    const facts = mailTo([mallory]);
    expect(decide({ facts, denials, intent: "unread" })).toEqual(["deny", "denied_before"]);
    expect(decide({ facts, denials, effectKind: undefined })).toEqual(["deny", "denied_before"]);
  });

  it("X3 asks again inside of an ask, but not about the very same effect", () => {
    const denials = [denied(mailTo([jonas]))];
    expect(decide({ denials })).toEqual(["ask", "denied_before"]);
    const same = { isSame: true };
    expect(decide({ denials: [denied(mailTo([jonas]), same)] })).toEqual(["deny", "denied_before"]);
    const since = { ...same, isBeforeNewWords: true };
    expect(decide({ denials: [denied(mailTo([jonas]), since)] })).toEqual(["ask", "denied_before"]);
  });

  it("X3 does not open a page of a denied host, unless an ask says so", () => {
    const fetch = (url: string, things: readonly string[], labels = noLabels) =>
      decide({
        tool: "web_fetch",
        effectKind: "open_page",
        facts: page(url),
        intent: ask({ effect: "open_page", things: new Set(things) }),
        labels,
        denials: [denied(page("https://evil.example/a"), { tool: "web_fetch" })],
      });
    expect(fetch("https://evil.example/b", [])).toEqual(["deny", "denied_before"]);
    expect(fetch("https://good.example/b", [])).toEqual(["allow", "site_mentioned"]);
    expect(fetch("https://evil.example/b", ["url https://evil.example/b"])).toEqual([
      "ask",
      "denied_before",
    ]);
  });

  it("X3 keeps a link and a value denied that others chose, also for another recipient", () => {
    const labels = withContext(withOwnerWords(noLabels, `Write to ${jonas}`), "mail", "Pay!");
    const before = mailTo(["eva@brandt.example"], {
      hosts: ["evil.example"],
      values: ["DE02120300000000202051"],
    });
    for (const more of [{ hosts: ["evil.example"] }, { values: ["DE02120300000000202051"] }])
      expect(decide({ facts: mailTo([jonas], more), labels, denials: [denied(before)] })).toEqual([
        "deny",
        "denied_before",
      ]);
    expect(decide({ labels, denials: [denied(before)] })).toEqual(["allow", "autonomous"]);
  });

  it("leaves other targets alone", () => {
    expect(decide({ denials: [denied(mailTo([mallory]))] })).toEqual(["allow", "autonomous"]);
  });
});

describe("what the owner replied to or undid", () => {
  it("X1 X3 asks at every later attempt at that kind and target, with the reply as a risk", () => {
    const reply = denied(mailTo([jonas]), { cause: "replied", words: "Never!", isSame: true });
    expect(decide({ denials: [reply] })).toEqual(["ask", "replied_before"]);
    const undone = denied(mailTo([jonas]), { cause: "undone", isSame: true });
    expect(decide({ denials: [undone] })).toEqual(["ask", "undone_before"]);
    const invitation = { tool: "calendar_event_create", facts: mailTo([jonas], { kind: "event" }) };
    expect(decide({ ...invitation, denials: [reply] })).toEqual(["allow", "autonomous"]);
  });

  it("X3 asks about every later call of a tool that says nothing about its targets", () => {
    const other: EffectFacts = { ...mailTo([]), kind: "other" };
    const reply = denied(other, { tool: "post", cause: "replied", words: "No" });
    const call = { tool: "post", facts: other, effectKind: undefined };
    expect(decide({ ...call, denials: [reply] })).toEqual(["ask", "replied_before"]);
    expect(decide({ ...call, tool: "paint", denials: [reply] })).toEqual(["allow", "autonomous"]);
  });
});
