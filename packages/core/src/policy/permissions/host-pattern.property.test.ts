import fc from "fast-check";
import { expect, it } from "vitest";
import { hostOfUrl, matchesHost, parseHostPattern } from "./host-pattern.ts";

const label = fc.stringMatching(/^[a-z][a-z0-9]{0,6}$/);
const site = fc
  .tuple(label, fc.constantFrom("com", "co.uk", "github.io", "example"))
  .map((parts) => parts.join("."));
const prefix = fc.array(label, { maxLength: 3 });
const host = fc.tuple(prefix, site).map(([labels, name]) => [...labels, name].join("."));

/** Compares label by label from the right, in place of comparing texts. */
function matchesLabels(pattern: string, name: string): boolean {
  const [wanted, given] = [pattern, name].map((text) => text.split(".").toReversed());
  if (wanted?.at(-1) !== "*") return JSON.stringify(wanted) === JSON.stringify(given);
  const fixed = wanted.slice(0, -1);
  return (
    given !== undefined &&
    given.length > fixed.length &&
    fixed.every((part, at) => part === given[at])
  );
}

/** Spellings of a URL that browsers open at the same host. */
const spelling = fc.record({
  scheme: fc.constantFrom("https://", "http://", "HTTP:\\\\", "https:/"),
  user: fc.constantFrom("", "user@", "example.com:x@", "@"),
  isUpper: fc.boolean(),
  dot: fc.constantFrom("", "."),
  port: fc.constantFrom("", ":443", ":8080"),
  rest: fc.constantFrom(
    "",
    "/",
    "/evil.example",
    "?@evil.example",
    "#@evil.example",
    "\\evil.example",
  ),
});

it("X3 agrees with a comparison of labels, in every spelling of the URL", () => {
  fc.assert(
    fc.property(host, host, fc.boolean(), spelling, (base, name, isStar, form) => {
      const parsed = parseHostPattern(isStar ? `*.${base}` : base);
      if (parsed === undefined) return;
      const { scheme, user, isUpper, dot, port, rest } = form;
      for (const wanted of [name, `${name}.${base}`, base]) {
        const spelled = isUpper ? wanted.toUpperCase() : wanted;
        const url = `${scheme}${user}${spelled}${dot}${port}${rest}`;
        expect(matchesHost(parsed, hostOfUrl(url), "restrict"), url).toBe(
          matchesLabels(parsed, wanted),
        );
      }
    }),
    { numRuns: 500 },
  );
});

it("X3 never allows more than it restricts, nor another registered domain", () => {
  fc.assert(
    fc.property(prefix, site, prefix, site, (left, base, right, other) => {
      const parsed = parseHostPattern(["*", ...left, base].join("."));
      const name = [...right, other].join(".");
      if (parsed === undefined || !matchesHost(parsed, name, "allow")) return;
      expect(matchesHost(parsed, name, "restrict")).toBe(true);
      expect(other).toBe(base);
    }),
  );
});

it("reads any text without throwing, into a pattern that reads as itself", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.tuple(fc.constantFrom("", "*.", "*"), host).map((parts) => parts.join("")),
    fc.webUrl(),
  );
  fc.assert(
    fc.property(text, (given) => {
      const parsed = parseHostPattern(given);
      if (parsed === undefined) return;
      expect(parseHostPattern(parsed)).toBe(parsed);
      expect(parsed).toMatch(/^(?:\*\.)?(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])$/);
      const below = parsed.replace("*", "x");
      expect(matchesHost(parsed, hostOfUrl(`https://${below}/`), "allow")).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});
