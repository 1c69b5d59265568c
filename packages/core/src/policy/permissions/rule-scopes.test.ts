import { trustLevels, type Label, type RuleVerdict } from "@bron/protocol";
import { describe, expect, it } from "vitest";
import { withServer, type EffectFacts } from "../effect-facts.ts";
import { judge, judgeRead } from "../judge.ts";
import type { JudgeInput } from "../judge-input.ts";
import { defaultRules, type PolicyRules } from "./rules.ts";
import { noLabels, withOwnerWords, withResult, type RunLabels } from "../run-labels.ts";
import { serverReader } from "../server-reader.ts";

const label = (more: Partial<Label> = {}): Label => ({
  origin: "web",
  trusted: false,
  private: false,
  readers: [],
  ...more,
});
const publicText = label();
const privateText = label({ origin: "mail", private: true });
const afterReading = (read: Label, words = "Look it up"): RunLabels =>
  withResult(withOwnerWords(noLabels, words), {
    tool: "read",
    actionId: "1",
    label: read,
    value: "some text",
  });
type Rule = PolicyRules["rules"][number];
const rule = (verdict: RuleVerdict, more: Partial<Rule> = {}): Rule => ({
  tool: "web_fetch",
  verdict,
  ofBron: false,
  host: null,
  server: null,
  ...more,
});
const grant = (more: Partial<PolicyRules["grants"][number]>): PolicyRules["grants"][number] => ({
  id: "grant",
  tool: "web_fetch",
  recipient: null,
  host: null,
  server: null,
  includesPrivate: false,
  ...more,
});
const nothing: EffectFacts = {
  kind: "other",
  account: "",
  recipients: [],
  hosts: [],
  attachments: [],
  warnings: [],
};
const fetching = (...urls: string[]): EffectFacts => ({
  ...nothing,
  kind: "fetch",
  hosts: urls.map((url) => new URL(url).hostname),
  things: urls.map((url) => ({ kind: "url", id: url, title: url })),
  targets: urls.map((url) => ({ kind: "url", url })),
});
const decide = ({
  rules,
  ...more
}: Omit<Partial<JudgeInput>, "rules"> & { rules?: Partial<PolicyRules> }) =>
  judge({
    tool: "web_fetch",
    seenBy: "others",
    labels: noLabels,
    facts: fetching("https://docs.example.com/x"),
    ...more,
    rules: { ...defaultRules, ...rules },
  });

describe("a rule for a host", () => {
  it("X3 denies calls whose URL matches, and no others", () => {
    const rules = { rules: [rule("deny", { host: "*.example.com" })] };
    expect(decide({ rules })).toMatchObject({
      verdict: "deny",
      reasons: [{ code: "rule_denies", host: "*.example.com" }],
    });
    for (const url of ["https://example.com", "https://docs.example.com.evil.net"])
      expect(decide({ rules, facts: fetching(url) }).verdict, url).toBe("allow");
    expect(
      decide({ rules, facts: fetching("https://other.example", "https://a.example.com") }).verdict,
    ).toBe("deny");
    expect(decide({ rules, facts: nothing, labels: noLabels }).verdict).toBe("ask");
  });

  it("X3 denies by a rule with a host although a rule of the Bron allows everything", () => {
    const rules = {
      rules: [
        rule("deny", { tool: "*", host: "docs.example.com" }),
        rule("allow", { ofBron: true }),
      ],
    };
    expect(decide({ rules }).verdict).toBe("deny");
  });

  it("X3 precedes a general rule, and an exact host precedes a pattern", () => {
    const verdict = (...list: Rule[]) =>
      [list, list.toReversed()].map((rules) => decide({ rules: { rules } }).verdict);
    expect(verdict(rule("ask"), rule("allow", { host: "*.example.com" }))).toEqual([
      "allow",
      "allow",
    ]);
    expect(
      verdict(rule("ask", { host: "*.example.com" }), rule("allow", { host: "docs.example.com" })),
    ).toEqual(["allow", "allow"]);
    expect(verdict(rule("ask"), rule("allow", { tool: "*", host: "docs.example.com" }))).toEqual([
      "ask",
      "ask",
    ]);
  });

  it.each(["rule", "grant"])(
    "X3 lets public text choose the host, but not private text: %s",
    (by) => {
      const rules: Partial<PolicyRules> =
        by === "rule"
          ? { rules: [rule("allow", { host: "*.example.com" })] }
          : { grants: [grant({ host: "*.example.com" })] };
      for (const trustLevel of trustLevels) {
        const at = { ...rules, trustLevel };
        expect(decide({ rules: at, labels: afterReading(publicText) }).verdict).toBe("allow");
        expect(decide({ rules: { trustLevel }, labels: afterReading(publicText) }).verdict).toBe(
          "ask",
        );
        expect(decide({ rules: at, labels: afterReading(privateText) }).risks).toMatchObject([
          { why: { code: "site_not_mentioned", host: "docs.example.com" } },
        ]);
        expect(
          decide({
            rules: at,
            labels: afterReading(publicText),
            facts: fetching("https://docs.example.com", "https://evil.example"),
          }).verdict,
        ).toBe("ask");
      }
    },
  );

  it("X3 denies a tool that only reads, by its exact name and the URL of the call", () => {
    const rules = {
      ...defaultRules,
      rules: [rule("deny", { tool: "read_page", host: "a.example" })],
    };
    const urls = (url: string) => [{ kind: "url", url } as const];
    expect(judgeRead("read_page", rules, urls("https://a.example/"))).toMatchObject({
      verdict: "deny",
      reasons: [{ code: "rule_denies", host: "a.example" }],
    });
    expect(judgeRead("read_page", rules, urls("https://b.example/")).verdict).toBe("allow");
    expect(judgeRead("read_page", rules).verdict).toBe("allow");
    expect(judgeRead("read_pages", rules, urls("https://a.example/")).verdict).toBe("allow");
  });
});

describe("a tool of an MCP server", () => {
  const issue = withServer(nothing, { name: "github", tool: "create_issue" });
  const call = { tool: "github_create_issue", facts: issue };
  const autonomous = { trustLevel: "autonomous" } as const;

  it.each(trustLevels)("X3 asks unless a rule or grant names the server: %s", (trustLevel) => {
    const general = ["*", "github_*", "github_create_issue"].map((tool) => rule("allow", { tool }));
    for (const rules of [[], ...general.map((one) => [one, { ...one, ofBron: true }])])
      expect(decide({ ...call, rules: { trustLevel, rules } })).toMatchObject({
        verdict: "ask",
        reasons: [{ code: "server_not_allowed", server: "github" }],
      });
    for (const tool of ["*", "create_*", "create_issue"])
      expect(
        decide({
          ...call,
          rules: { trustLevel, rules: [rule("allow", { tool, server: "github" })] },
        }),
      ).toMatchObject({ verdict: "allow", reasons: [{ code: "rule_allows", server: "github" }] });
    for (const more of [
      { tool: "*", server: "gitlab" },
      { tool: "delete_repo", server: "github" },
      { tool: "github_create_issue", server: "github" },
    ])
      expect(decide({ ...call, rules: { trustLevel, rules: [rule("allow", more)] } }).verdict).toBe(
        "ask",
      );
  });

  it("X3 is allowed by a grant at the levels that act without asking", () => {
    const grants = [grant({ tool: "create_issue", server: "github" })];
    const verdicts = trustLevels.map((trustLevel) =>
      decide({ ...call, rules: { trustLevel, grants } }),
    );
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(["ask", "allow", "allow"]);
    expect(verdicts[1]?.reasons).toEqual([{ code: "granted" }]);
    const other = [grant({ tool: "delete_repo", server: "github" })];
    expect(decide({ ...call, rules: { ...autonomous, grants: other } }).verdict).toBe("ask");
  });

  it("X3 is denied and asked about by rules that do not name the server", () => {
    const allow = rule("allow", { tool: "*", server: "github" });
    expect(
      decide({ ...call, rules: { rules: [allow, rule("deny", { tool: "*" })] } }).verdict,
    ).toBe("deny");
    expect(
      decide({ ...call, rules: { rules: [allow, rule("ask", { tool: "*", ofBron: true })] } })
        .verdict,
    ).toBe("ask");
    expect(
      decide({
        ...call,
        rules: { rules: [allow, rule("deny", { tool: "create_*", server: "github" })] },
      }),
    ).toMatchObject({ verdict: "deny", reasons: [{ code: "rule_denies", server: "github" }] });
  });

  it("X3 gains nothing by what the server says about it", () => {
    const claims: EffectFacts[] = [
      {
        ...nothing,
        kind: "mail",
        account: "mara@x.example",
        recipients: [{ address: "mara@x.example", role: "to" }],
      },
      { ...nothing, kind: "fetch", targets: [{ kind: "url", url: "https://docs.example.com" }] },
      { ...nothing, targets: [{ kind: "server", server: "trusted", tool: "create_issue" }] },
    ];
    const rules = {
      ...autonomous,
      people: new Set(["mara@x.example"]),
      rules: [rule("allow", { tool: "*", server: "trusted" }), rule("allow", { tool: "*" })],
    };
    for (const claim of claims)
      for (const seenBy of ["owner", "others"] as const)
        expect(
          decide({
            tool: call.tool,
            facts: withServer(claim, { name: "github", tool: "create_issue" }),
            seenBy,
            rules,
          }).verdict,
        ).toBe("ask");
    expect(withServer(claims[2] ?? nothing, undefined).targets).toEqual([]);
  });

  it("X3 asks once text of others was read, unless it came from the server itself", () => {
    const rules = { ...autonomous, rules: [rule("allow", { tool: "*", server: "github" })] };
    const verdict = (read: Label) => decide({ ...call, rules, labels: afterReading(read) });
    expect(verdict(privateText)).toMatchObject({
      verdict: "ask",
      risks: [{ why: { code: "decided_after_reading" } }, { why: { code: "visible_to_others" } }],
    });
    expect(verdict(publicText).risks).toMatchObject([{ why: { code: "decided_after_reading" } }]);
    const own = label({ origin: "tool", private: true, readers: [serverReader("github")] });
    expect(verdict(own).verdict).toBe("allow");
    expect(verdict({ ...own, readers: [serverReader("gitlab")] }).verdict).toBe("ask");
    // A recipient in the text does not prove who else reads it.
    const withRecipient = withServer(
      {
        ...nothing,
        recipients: [{ address: "eva@x.example", role: "to", known: { names: [] } }],
      },
      { name: "github", tool: "create_issue" },
    );
    expect(
      decide({
        tool: call.tool,
        facts: withRecipient,
        rules,
        labels: afterReading(privateText, "Tell eva@x.example"),
      }).verdict,
    ).toBe("ask");
  });
});
