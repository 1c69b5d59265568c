import { expect, it } from "vitest";
import { steps, summary } from "./in-words.ts";

const brons = [
  { id: "1", name: "Bron", trustLevel: "supervised" },
  { id: "2", name: "Post", trustLevel: "delegated" },
  { id: "3", name: "Eva", trustLevel: "supervised" },
] as const;
const at = { createdAt: "2026-11-15T12:00:00Z" };
const now = new Date("2026-11-15T12:00:00Z");

it("BR25 says of each level in use who has it", () => {
  expect(summary(brons)).toEqual([
    "Bron and Eva ask you before anything is changed outside.",
    "Post sends mail by itself if everybody who gets it is on your list, and asks about the rest.",
  ]);
});

it("BR25 says the order of judging, with what was laid down at each step", () => {
  const rules = [
    { ...at, id: "r1", tool: "gmail_send", verdict: "deny", bronId: "2" },
    { ...at, id: "r2", tool: "calendar_*", verdict: "allow", bronId: null },
  ] as const;
  const grant = {
    ...at,
    id: "g",
    bronId: null,
    tool: "gmail_send",
    recipient: "eva@x.example",
    uses: 0,
    revokedAt: null,
  };
  const grants = [
    { ...grant, expiresAt: "2026-11-16T12:00:00Z" },
    { ...grant, expiresAt: "2026-11-14T12:00:00Z" },
    { ...grant, expiresAt: "2026-11-16T12:00:00Z", revokedAt: "2026-11-15T10:00:00Z" },
  ];
  const said = steps(
    { rules, allowed: [{ ...at, id: "a", value: "x.example", kind: "domain" }], grants },
    brons,
    now,
  ).map((step) => step.now);
  expect(said).toEqual([
    "Yours: sending a mail (Post).",
    "",
    "1 on your list, 1 grant.",
    "No rule of yours.",
    "Yours: everything about the calendar (every Bron).",
    "Bron: Supervised, Post: Delegated, and Eva: Supervised",
  ]);
});
