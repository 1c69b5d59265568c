import { BronError } from "@bron/core";
import type { Scope } from "@bron/protocol";
import { expect, it } from "vitest";
import { accessServices, type AccessServicesDeps } from "./access-services.ts";
import type { ServiceCaller } from "./service.ts";

function openHarness(scopes: Scope[] = ["read", "manage"]) {
  const created: unknown[] = [];
  const ended: string[] = [];
  const services = accessServices({
    sessions: {
      end: () => Promise.resolve(),
      endOthers: () => Promise.resolve(["phone", "laptop"]),
    },
    apiTokens: { revoke: () => Promise.resolve(["token", "made by it"]) },
    tokens: { create: (...args: unknown[]) => Promise.resolve(void created.push(args)) },
    onAccessEnded: (ids: readonly string[]) => ended.push(...ids),
  } as unknown as AccessServicesDeps);
  const caller = { ownerId: "eva", tokenId: "t1", scopes } as unknown as ServiceCaller;
  const request = { caller, query: {}, body: {}, idempotencyKey: undefined };
  return { services, request, created, ended };
}

it("RT2 lets a token grant only the scopes that it has", async () => {
  const { services, request, created } = openHarness();
  const make = (scopes: Scope[]) =>
    services["POST /api/tokens"]({ ...request, params: {}, body: { name: "made", scopes } });
  await expect(make(["read", "approve"])).rejects.toSatisfy((error) =>
    BronError.is(error, "forbidden"),
  );
  expect(created).toEqual([]);
  await make(["read"]);
  expect(created).toEqual([["eva", { name: "made", scopes: ["read"] }, { madeBy: "t1" }]]);
});

it("BR25 closes the streams of every session and token that it ends, without waiting for a heartbeat", async () => {
  const { services, request, ended } = openHarness();
  await services["DELETE /api/sessions/:id"]({ ...request, body: undefined, params: { id: "s1" } });
  expect(ended.splice(0)).toEqual(["s1"]);
  await services["POST /api/sessions/end-others"]({ ...request, params: {} });
  expect(ended.splice(0)).toEqual(["phone", "laptop"]);
  await services["DELETE /api/tokens/:id"]({ ...request, body: undefined, params: { id: "t2" } });
  expect(ended).toEqual(["token", "made by it"]);
});
