import { BronError } from "@bron/core";
import { modelProviders, omitUndefined, type AboutView, type ModelProvider } from "@bron/protocol";
import type { Runtime } from "../runtime.ts";
import { nextOf, type ServicesOf } from "./service.ts";

type OwnerKeys =
  | "GET /api/about"
  | "GET /api/me"
  | "GET /api/model-keys"
  | "PUT /api/model-keys/:provider"
  | "DELETE /api/model-keys/:provider"
  | "GET /api/connections"
  | "POST /api/connections/:provider/disconnect"
  | "POST /api/gmail/disconnect"
  | "GET /api/audit"
  | "POST /api/uploads/token"
  | "POST /api/uploads/complete"
  | "GET /api/uploads/:id";

export interface OwnerServicesDeps {
  readonly runtime: Pick<Runtime, "modelKeys" | "connections" | "audit" | "uploads">;
  readonly about: AboutView;
}

/** The caller, and what belongs to the owner: model keys, accounts, audit log, uploads. */
export function ownerServices(deps: OwnerServicesDeps): ServicesOf<OwnerKeys> {
  const { connections, audit, uploads } = deps.runtime;
  const disconnect = async (ownerId: string, provider: string) => {
    await connections.disconnect(ownerId, provider);
    return { connections: await connections.list(ownerId) };
  };
  return {
    ...modelKeyServices(deps),
    "GET /api/about": () => Promise.resolve(deps.about),
    "GET /api/me": ({ caller: { ownerId, via, scopes, email } }) =>
      Promise.resolve({ ownerId, via, scopes, email }),
    "GET /api/connections": async ({ caller: { ownerId } }) => ({
      connections: await connections.list(ownerId),
    }),
    "POST /api/connections/:provider/disconnect": ({ caller: { ownerId }, params }) =>
      disconnect(ownerId, params.provider),
    "POST /api/gmail/disconnect": ({ caller: { ownerId } }) => disconnect(ownerId, "google"),
    async "GET /api/audit"({ caller: { ownerId }, query }) {
      const page = await audit.list(ownerId, omitUndefined(query));
      return { audit: page, next: nextOf(page, query.limit) };
    },
    async "POST /api/uploads/token"({ caller: { ownerId }, body }) {
      const { upload, token, expiresAt } = await uploads.create(ownerId, body);
      // Has no host, so that a page uses the host name that it was loaded from.
      return { upload, token, url: `/api/uploads/${upload.id}?token=${token}`, expiresAt };
    },
    "POST /api/uploads/complete": ({ caller: { ownerId }, body }) =>
      uploads.complete(ownerId, body),
    "GET /api/uploads/:id": ({ caller: { ownerId }, params }) => uploads.get(ownerId, params.id),
  };
}

type ModelKeyKeys = Extract<OwnerKeys, `${string}/api/model-keys${string}`>;

function modelKeyServices({ runtime: { modelKeys } }: OwnerServicesDeps): ServicesOf<ModelKeyKeys> {
  const list = async (ownerId: string) => ({ modelKeys: await modelKeys.list(ownerId) });
  return {
    "GET /api/model-keys": ({ caller: { ownerId } }) => list(ownerId),
    async "PUT /api/model-keys/:provider"({ caller: { ownerId }, params, body }) {
      const provider = providerOf(params.provider);
      const tried = await modelKeys.test(provider, body);
      await modelKeys.put(ownerId, provider, body);
      return { ...(await list(ownerId)), tried };
    },
    async "DELETE /api/model-keys/:provider"({ caller: { ownerId }, params }) {
      await modelKeys.remove(ownerId, providerOf(params.provider));
      return await list(ownerId);
    },
  };
}

function providerOf(name: string): ModelProvider {
  const provider = modelProviders.find((known) => known === name);
  if (!provider)
    throw new BronError(
      "not_found",
      `Unknown model provider ${name}. Must be one of: ${modelProviders.join(", ")}.`,
    );
  return provider;
}
