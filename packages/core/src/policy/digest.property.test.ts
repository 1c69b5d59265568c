import { sampleCount } from "@bron/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "@bron/protocol";
import type { ProposedEffect } from "./policy.ts";
import type { PolicyDecision } from "./policy-decision.ts";
import { effectDigest } from "./digest.ts";

const text = fc.string({ maxLength: 20 });
const addresses = fc.array(fc.emailAddress(), { maxLength: 4 });
const attachment = fc.record({
  filename: text,
  mediaType: text,
  sizeBytes: fc.nat(),
  digest: fc.string({ minLength: 4, maxLength: 12 }),
});
const mail = fc.record({
  account: fc.emailAddress(),
  to: addresses,
  cc: addresses,
  bcc: addresses,
  subject: text,
  bodyText: text,
  threadId: text,
  attachments: fc.array(attachment, { maxLength: 3 }),
  mark: fc.uuid(),
  messageId: text,
  raw: fc.base64String({ maxLength: 60 }),
  draftId: text,
  draftDigest: text,
});
const effect = fc.record({
  runId: fc.uuid(),
  ownerId: text,
  actionId: fc.uuid(),
  tool: fc.constantFrom("gmail_send", "gmail_draft_send"),
  seenBy: fc.constantFrom("others" as const, "owner" as const),
  prepared: mail,
});
const decision = fc.record({
  verdict: fc.constantFrom("ask" as const, "allow" as const),
  reasons: fc.array(text, { maxLength: 3 }),
});

interface Bound {
  readonly effect: ProposedEffect;
  readonly decision: PolicyDecision;
}

/** The path of every value inside a JSON value. */
function pathsOf(
  value: unknown,
  path: readonly (string | number)[] = [],
): (readonly (string | number)[])[] {
  if (Array.isArray(value))
    return [path, ...value.flatMap((member, index) => pathsOf(member, [...path, index]))];
  if (typeof value === "object" && value !== null)
    return [
      ...(path.length === 0 ? [] : [path]),
      ...Object.entries(value).flatMap(([key, member]) => pathsOf(member, [...path, key])),
    ];
  return [path];
}

type Kind = "other" | "longer" | "removed" | "twice" | "added";

function changed(
  value: unknown,
  [key, ...rest]: readonly (string | number)[],
  kind: Kind,
): unknown {
  if (key !== undefined) {
    if (Array.isArray(value)) {
      if (rest.length > 0 || kind === "other" || kind === "longer")
        return value.map((member: unknown, index) =>
          index === key ? changed(member, rest, kind) : member,
        );
      return kind === "removed"
        ? value.filter((_, index) => index !== key)
        : value.flatMap((member: unknown, index) => (index === key ? [member, member] : [member]));
    }
    const members = value as JsonObject;
    if (rest.length === 0 && kind === "removed")
      return Object.fromEntries(Object.entries(members).filter(([name]) => name !== key));
    return { ...members, [key]: changed(members[key], rest, kind) };
  }
  if (Array.isArray(value))
    return kind === "removed" && value.length > 0
      ? value.slice(0, -1)
      : [...(value as unknown[]), "more"];
  if (typeof value === "string")
    return kind === "longer"
      ? `${value} `
      : kind === "other" && value !== ""
        ? `${value.slice(0, -1)}${value.endsWith("x") ? "y" : "x"}`
        : `${value}x`;
  if (typeof value === "number") return value + 1;
  return { value: value ?? null, more: true };
}

describe("the digest that an approval is bound to", () => {
  it("X1 changes with every field: bytes, recipients, attachments, account, thread, run, action, owner, reasons", async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.record({ effect, decision }),
        fc.nat(),
        fc.constantFrom<Kind>("other", "longer", "removed", "twice", "added"),
        async (bound: Bound, choice, kind) => {
          const paths = pathsOf(bound);
          const path = paths[choice % paths.length] ?? [];
          const other = changed(bound, path, kind) as Bound;
          fc.pre(path.length > 1 && JSON.stringify(other) !== JSON.stringify(bound));
          seen.add(path.filter((key) => typeof key === "string").join("."));
          expect(await effectDigest(other.effect, other.decision)).not.toBe(
            await effectDigest(bound.effect, bound.decision),
          );
        },
      ),
      { numRuns: sampleCount(8_000) },
    );
    // Make sure that every field was tried.
    for (const field of ["runId", "ownerId", "actionId", "tool", "seenBy"])
      expect(seen).toContain(`effect.${field}`);
    for (const field of [
      "account",
      "to",
      "cc",
      "bcc",
      "subject",
      "bodyText",
      "threadId",
      "attachments",
      "attachments.digest",
      "attachments.filename",
      "mark",
      "messageId",
      "raw",
      "draftId",
      "draftDigest",
    ])
      expect(seen).toContain(`effect.prepared.${field}`);
    for (const field of ["verdict", "reasons"]) expect(seen).toContain(`decision.${field}`);
  }, 60_000);

  it("X1 is the same for equal values, in any key order", async () => {
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed);
      return typeof value === "object" && value !== null
        ? Object.fromEntries(
            Object.entries(value)
              .toReversed()
              .map(([key, member]) => [key, reversed(member)]),
          )
        : value;
    };
    await fc.assert(
      fc.asyncProperty(effect, decision, async (one, why) => {
        expect(
          await effectDigest(reversed(one) as ProposedEffect, reversed(why) as PolicyDecision),
        ).toBe(await effectDigest(one, why));
      }),
      { numRuns: sampleCount(1_000) },
    );
  });

  it("X1 keeps two recipients apart, whatever their names contain", async () => {
    await fc.assert(
      fc.asyncProperty(
        effect,
        decision,
        fc.array(text, { minLength: 2, maxLength: 4 }),
        async (one, why, deps) => {
          const as = (to: string[]) =>
            effectDigest({ ...one, prepared: { ...one.prepared, to } }, why);
          expect(await as(deps)).not.toBe(await as([deps.join(",")]));
          expect(await as(deps)).not.toBe(await as([deps.join('","')]));
        },
      ),
      { numRuns: sampleCount(500) },
    );
  });
});
