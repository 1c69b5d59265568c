import { requestError, type ApiTokens, type Sessions } from "@bron/core";
import type { TokenService } from "../tokens.ts";
import type { ServiceCaller, ServicesOf } from "./service.ts";

export type AccessKeys =
  | "GET /api/sessions"
  | "DELETE /api/sessions/:id"
  | "POST /api/sessions/end-others"
  | "GET /api/tokens"
  | "POST /api/tokens"
  | "DELETE /api/tokens/:id";

export interface AccessServicesDeps {
  readonly sessions: Pick<Sessions, "list" | "end" | "endOthers">;
  readonly apiTokens: Pick<ApiTokens, "list" | "revoke">;
  readonly tokens: Pick<TokenService, "create">;
  /** Called with ended sessions and revoked tokens, whose streams must close. */
  readonly onAccessEnded: (ids: readonly string[]) => void;
}

export type AccessServices = ServicesOf<AccessKeys>;

/** Signed-in browsers and API tokens, for a runtime that has them. */
export function accessServices({
  sessions,
  apiTokens,
  tokens,
  onAccessEnded,
}: AccessServicesDeps): AccessServices {
  return {
    "GET /api/sessions": async ({ caller }) => ({
      sessions: (await sessions.list(caller.ownerId)).map((session) => ({
        ...session,
        current: session.id === caller.sessionId,
      })),
    }),
    async "DELETE /api/sessions/:id"({ caller: { ownerId }, params }) {
      await sessions.end(ownerId, params.id);
      onAccessEnded([params.id]);
      return undefined;
    },
    async "POST /api/sessions/end-others"({ caller }) {
      const ended = await sessions.endOthers(caller.ownerId, caller.sessionId);
      onAccessEnded(ended);
      return { ended: ended.length };
    },
    "GET /api/tokens": async ({ caller: { ownerId } }) => ({
      tokens: await apiTokens.list(ownerId),
    }),
    async "POST /api/tokens"({ caller, body }) {
      refuseExtraScopes(caller, body.scopes);
      return await tokens.create(caller.ownerId, body, { madeBy: caller.tokenId });
    },
    async "DELETE /api/tokens/:id"({ caller: { ownerId }, params }) {
      onAccessEnded(await apiTokens.revoke(ownerId, params.id));
      return undefined;
    },
  };
}

/** A token cannot create a token with more scopes than its own. */
function refuseExtraScopes({ scopes }: ServiceCaller, wanted: ServiceCaller["scopes"]): void {
  const missing = wanted.find((scope) => !scopes.includes(scope));
  if (missing !== undefined)
    throw requestError("forbidden", { code: "scope_not_held", scope: missing });
}
