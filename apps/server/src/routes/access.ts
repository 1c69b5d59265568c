import { BronError } from "@bron/core";
import { modelProviders, type ModelProvider } from "@bron/protocol";
import type { Runtime } from "@bron/runtime";
import type { Caller, On } from "../register-endpoint.ts";

export interface AccessRoutesDeps {
  readonly runtime: Pick<Runtime, "sessions" | "tokens" | "modelKeys">;
  /** Closes the streams of ended sessions and revoked tokens. */
  readonly closeStreams: (ids: readonly string[]) => void;
}

/** The caller, the owner's sessions and tokens, and the owner's model keys. */
export function addAccessRoutes(on: On, { runtime, closeStreams }: AccessRoutesDeps): void {
  on("GET /api/me", ({ caller: { ownerId, via, scopes, email } }) =>
    Promise.resolve({ ownerId, via, scopes, email }),
  );

  on("GET /api/sessions", async ({ caller }) => ({
    sessions: (await runtime.sessions.list(caller.ownerId)).map((session) => ({
      ...session,
      current: session.id === caller.sessionId,
    })),
  }));
  on("DELETE /api/sessions/:id", async ({ caller: { ownerId }, params }) => {
    await runtime.sessions.end(ownerId, params.id);
    closeStreams([params.id]);
    return undefined;
  });
  on("POST /api/sessions/end-others", async ({ caller }) => {
    const ended = await runtime.sessions.endOthers(caller.ownerId, caller.sessionId);
    closeStreams(ended);
    return { ended: ended.length };
  });

  on("GET /api/tokens", async ({ caller: { ownerId } }) => ({
    tokens: await runtime.tokens.list(ownerId),
  }));
  on("POST /api/tokens", async ({ caller, body }) => {
    refuseExtraScopes(caller, body.scopes);
    return await runtime.tokens.create(caller.ownerId, body, { madeBy: caller.tokenId });
  });
  on("DELETE /api/tokens/:id", async ({ caller: { ownerId }, params }) => {
    closeStreams(await runtime.tokens.revoke(ownerId, params.id));
    return undefined;
  });

  const keys = async (ownerId: string) => ({ modelKeys: await runtime.modelKeys.list(ownerId) });
  on("GET /api/model-keys", ({ caller: { ownerId } }) => keys(ownerId));
  on("PUT /api/model-keys/:provider", async ({ caller: { ownerId }, params, body }) => {
    const provider = providerOf(params.provider);
    const tried = await runtime.modelKeys.test(provider, body);
    await runtime.modelKeys.put(ownerId, provider, body);
    return { ...(await keys(ownerId)), tried };
  });
  on("DELETE /api/model-keys/:provider", async ({ caller: { ownerId }, params }) => {
    await runtime.modelKeys.remove(ownerId, providerOf(params.provider));
    return await keys(ownerId);
  });
}

/** A token cannot create a token with more scopes than its own. */
function refuseExtraScopes({ scopes }: Caller, wanted: Caller["scopes"]): void {
  const missing = wanted.find((scope) => !scopes.includes(scope));
  if (missing !== undefined)
    throw new BronError(
      "forbidden",
      `This token can't grant the "${missing}" scope, because it doesn't have it.`,
    );
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
