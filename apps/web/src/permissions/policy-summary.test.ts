import { expect, it } from "vitest";
import { steps, summary } from "./policy-summary.ts";

const brons = [
  { id: "1", name: "Bron", trustLevel: "supervised" },
  { id: "2", name: "Post", trustLevel: "delegated" },
  { id: "3", name: "Eva", trustLevel: "supervised" },
] as const;
const at = { createdAt: "2026-11-15T12:00:00Z" };
const general = { host: null, server: null };
const now = new Date("2026-11-15T12:00:00Z");

it("BR25 says which Brons have each trust level", () => {
  expect(summary(brons)).toEqual([
    "Bron and Eva ask before they send or change anything.",
    "Post emails trusted contacts without asking, and asks about everything else.",
  ]);
});

it("BR25 lists the steps of the policy with the owner's settings for each", () => {
  const rules = [
    { ...at, ...general, id: "r1", tool: "gmail_send", verdict: "deny", bronId: "2" },
    { ...at, ...general, id: "r2", tool: "calendar_*", verdict: "allow", bronId: null },
    { ...at, id: "r3", tool: "*", host: null, server: "github", verdict: "ask", bronId: null },
    {
      ...at,
      id: "r4",
      tool: "web_fetch",
      host: "*.x.example",
      server: null,
      verdict: "ask",
      bronId: null,
    },
  ] as const;
  const grant = {
    ...at,
    ...general,
    id: "g",
    bronId: null,
    tool: "gmail_send",
    recipient: "eva@x.example",
    uses: 0,
    includesPrivate: false,
    revokedAt: null,
  };
  const grants = [
    { ...grant, expiresAt: "2026-11-16T12:00:00Z" },
    { ...grant, expiresAt: "2026-11-14T12:00:00Z" },
    { ...grant, expiresAt: "2026-11-16T12:00:00Z", revokedAt: "2026-11-15T10:00:00Z" },
  ];
  const said = steps(
    {
      rules,
      allowed: [{ ...at, id: "a", value: "x.example", kind: "domain", name: null }],
      grants,
    },
    brons,
    now,
  ).map((step) => step.now);
  expect(said).toEqual([
    "Your rules: sending an email (Post)",
    "",
    "1 trusted contact, 1 temporary permission",
    "Your rules: all tools of the server github (all Brons) and reading a web page at *.x.example (all Brons)",
    "Your rules: all calendar tools (all Brons)",
    "",
    "Bron: Supervised, Post: Delegated, and Eva: Supervised",
  ]);
});
