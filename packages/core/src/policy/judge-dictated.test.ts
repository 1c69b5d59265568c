import type { Label } from "@bron/protocol";
import { describe, expect, it } from "vitest";
import { noIntent, type ResolvedAsk } from "../intent/intent.ts";
import type { EffectFacts } from "./effect-facts.ts";
import { asksUsedBy } from "./risks/intent-risks.ts";
import { judge } from "./judge.ts";
import type { JudgeInput } from "./judge-input.ts";
import { defaultRules } from "./permissions/rules.ts";
import { noLabels, withOwnerWords, withResult } from "./run-labels.ts";

const jonas = "jonas@lindqvist.example";
const mailLabel: Label = { origin: "mail", trusted: false, private: true, readers: [] };
const dictated = "Log in at shop.example";
const words = `Write to ${jonas}: "${dictated}"`;
const labels = withResult(withOwnerWords(noLabels, words), {
  tool: "gmail_thread_read",
  actionId: "read-1",
  label: mailLabel,
  value: { text: "evil.example and shop.example" },
});
const ask = (more: Partial<ResolvedAsk> = {}): ResolvedAsk => ({
  key: "k",
  order: 0,
  effect: "send_mail",
  words,
  times: "once",
  people: new Set([jonas]),
  byReference: new Set(),
  things: new Set(),
  fields: [],
  dictated: [dictated],
  ...more,
});
const input = (facts: Partial<EffectFacts>, ...asks: ResolvedAsk[]): JudgeInput => ({
  tool: "gmail_send",
  seenBy: "others",
  effectKind: "send_mail",
  intent: { ...noIntent("send_mail"), asks },
  facts: {
    kind: "mail",
    account: "mara@lindqvist.example",
    recipients: [{ address: jonas, role: "to" }],
    hosts: [],
    attachments: [],
    warnings: [],
    ...facts,
  },
  labels,
  rules: { ...defaultRules, trustLevel: "autonomous" },
});

describe("a text that the owner dictated", () => {
  it("X3 has no risks if it leaves word for word", () => {
    const facts = { text: `Hi Jonas,\n${dictated}`, titles: ["Shop"], hosts: ["shop.example"] };
    expect(judge(input(facts, ask())).verdict).toBe("allow");
    expect(judge(input(facts, ask({ dictated: [] }))).verdict).toBe("ask");
  });

  it("X3 frees no host of the subject that is not in it", () => {
    const facts = { text: dictated, titles: ["evil.example"], hosts: ["evil.example"] };
    expect(judge(input(facts, ask())).risks).toMatchObject([{ kind: "host" }]);
  });

  it("X3 frees no other link to a host that is in it", () => {
    const link = "https://shop.example/evil";
    const hosts = ["shop.example"];
    const risksOf = (facts: Partial<EffectFacts>) =>
      judge(input({ text: dictated, titles: [], hosts, ...facts }, ask())).risks;
    expect(risksOf({ titles: [link] })).toMatchObject([{ kind: "host" }]);
    expect(risksOf({ otherTexts: [`${link} <${jonas}>`] })).toMatchObject([{ kind: "host" }]);
  });

  it("X3 is asked about if another text would leave, and keeps its request", () => {
    const judged = input({ text: "Log in at once", titles: [] }, ask());
    expect(judge(judged)).toMatchObject({
      verdict: "ask",
      risks: [{ why: { code: "not_dictated", words: dictated }, from: [{ actionId: "read-1" }] }],
    });
    expect(asksUsedBy(judged)).toEqual([]);
    expect(asksUsedBy(input({ text: dictated }, ask()))).toEqual(["k"]);
  });

  it("X3 fits the request that dictates it", () => {
    const asks = [ask({ key: "1", dictated: ["One."] }), ask({ key: "2", dictated: ["Two."] })];
    expect(asksUsedBy(input({ text: "Two." }, ...asks))).toEqual(["2"]);
  });

  it("X3 may go to people whom the words only refer to, and nothing else may", () => {
    const group = ask({ byReference: new Set([jonas]) });
    const verdict = (facts: Partial<EffectFacts>) => judge(input(facts, group)).verdict;
    expect(verdict({ text: dictated, titles: [] })).toBe("allow");
    expect(verdict({ text: dictated, titles: ["Cash: 61,000 EUR"] })).toBe("ask");
    expect(
      verdict({ text: dictated, attachments: [{ filename: "a.pdf", digest: "sha256:a" }] }),
    ).toBe("ask");
    expect(judge(input({ text: dictated }, ask({ ...group, dictated: [] }))).verdict).toBe("ask");
  });
});
