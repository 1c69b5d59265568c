import { expect, it } from "vitest";
import { ruleFor } from "./rule-for.ts";

const rule = (tool: string, verdict: "allow" | "ask" | "deny", bronId: string | null = null) => ({
  id: `${tool} ${verdict} ${bronId}`,
  tool,
  verdict,
  bronId,
  host: null,
  server: null,
  createdAt: "2026-11-15T12:00:00Z",
});

it.each([
  [
    "a denial goes before everything",
    [rule("gmail_send", "allow", "eva"), rule("*", "deny")],
    "* deny null",
  ],
  [
    "a rule of this Bron beats a rule for all",
    [rule("gmail_send", "ask"), rule("gmail_*", "allow", "eva")],
    "gmail_* allow eva",
  ],
  [
    "a name goes before a star",
    [rule("gmail_*", "allow"), rule("gmail_send", "ask")],
    "gmail_send ask null",
  ],
  [
    "a longer prefix beats a shorter one",
    [rule("*", "ask"), rule("gmail_*", "allow")],
    "gmail_* allow null",
  ],
  ["ignores a rule of another Bron", [rule("gmail_send", "deny", "max")], undefined],
  ["another tool's does not count", [rule("calendar_*", "deny")], undefined],
])("BR25 %s", (_, rules, expected) => {
  expect(ruleFor(rules, "gmail_send", "eva")?.id).toBe(expected);
  expect(ruleFor(rules.toReversed(), "gmail_send", "eva")?.id).toBe(expected);
});
