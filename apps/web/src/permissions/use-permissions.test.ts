import type { Client } from "@bron/client";
import type { GrantView, PermissionsView, RuleView } from "@bron/protocol";
import { expect, it } from "vitest";
import { queries } from "../live/queries.ts";
import { stubApi } from "../mount-hook.fixture.tsx";
import { renderHook, testQueryClient } from "../render-hook.fixture.tsx";
import { isUnconfirmed, usePermissions } from "./use-permissions.ts";

const rule = (id: string, more: Partial<RuleView> = {}): RuleView => ({
  id,
  tool: "gmail_send",
  bronId: null,
  host: null,
  server: null,
  verdict: "ask",
  createdAt: "2026-11-15T12:00:00.000Z",
  ...more,
});
const before = {
  rules: [rule("any"), rule("bron", { bronId: "b1" }), rule("host", { host: "x.example" })],
  allowed: [],
  grants: [{ id: "old" } as GrantView],
  effects: [
    { kind: "send_mail", verdict: "ask" },
    { kind: "reply", verdict: "ask" },
  ],
} as unknown as PermissionsView;

/** The server never responds, so the page shows what it predicts. */
function openPermissions() {
  const calls: unknown[] = [];
  const call = (key: string, options: unknown) => {
    calls.push([key, options]);
    return new Promise(() => undefined);
  };
  stubApi({ call: call as unknown as Client["call"] });
  const client = testQueryClient();
  const { queryKey } = queries.permissions();
  client.setQueryData(queryKey, before);
  const change = renderHook(client, usePermissions);
  const shown = () => client.getQueryData(queryKey) as PermissionsView;
  return { calls, change, shown };
}

it("replaces the rule with the same tool, website, server and Bron, and keeps the others", async () => {
  const { change, shown } = openPermissions();
  change.putRule.mutate({ tool: "gmail_send", verdict: "deny" });
  await expect
    .poll(() =>
      shown()
        .rules.map(({ id }) => id)
        .slice(0, 2),
    )
    .toEqual(["bron", "host"]);
  expect(shown().rules[2]).toMatchObject({
    ...rule("any"),
    verdict: "deny",
    id: expect.any(String),
    createdAt: expect.any(String),
  });
  change.putRule.mutate({ tool: "gmail_send", host: "x.example", verdict: "allow" });
  await expect
    .poll(() => shown().rules.map(({ host, verdict }) => [host, verdict]))
    .toEqual([
      [null, "ask"],
      [null, "deny"],
      ["x.example", "allow"],
    ]);
});

it.each([
  ["eva@x.example", "person"],
  ["@x.example", "domain"],
  ["x.example", "domain"],
])("shows a new contact %s as a %s that the server has not confirmed", async (value, kind) => {
  const { change, shown } = openPermissions();
  change.allow.mutate(value);
  await expect.poll(() => shown().allowed).toMatchObject([{ value, kind, name: null }]);
  expect(isUnconfirmed(shown().allowed[0]?.id ?? "")).toBe(true);
  expect(isUnconfirmed("0b0e9e6c-0000-4000-8000-000000000000")).toBe(false);
});

it("shows a grant first, for a week if it has no other end", async () => {
  const { change, shown } = openPermissions();
  const start = Date.now();
  change.grant.mutate({ tool: "gmail_send", recipient: "eva@x.example" });
  await expect
    .poll(() => shown().grants.map(({ recipient }) => recipient))
    .toEqual(["eva@x.example", undefined]);
  const [grant] = shown().grants;
  expect(grant).toMatchObject({ bronId: null, host: null, includesPrivate: false, uses: 0 });
  const days = (Date.parse(grant?.expiresAt ?? "") - start) / 86_400_000;
  expect(Math.round(days)).toBe(7);
});

it("changes one kind of effect", async () => {
  const { change, shown } = openPermissions();
  change.setEffect.mutate({ kind: "reply", verdict: "deny" } as never);
  await expect
    .poll(() => shown().effects)
    .toEqual([
      { kind: "send_mail", verdict: "ask" },
      { kind: "reply", verdict: "deny" },
    ]);
});

it("removes an entry of its kind only", async () => {
  const { calls, change, shown } = openPermissions();
  change.remove.mutate({ kind: "rules", id: "old" });
  await expect
    .poll(() => calls)
    .toEqual([["POST /api/permissions/rules/:id/remove", { params: { id: "old" } }]]);
  expect([shown().rules.length, shown().grants.length]).toEqual([3, 1]);
  change.remove.mutate({ kind: "grants", id: "old" });
  await expect.poll(() => shown().grants).toEqual([]);
});
