import { BronError } from "@bron/core";
import { errorTable } from "@bron/protocol";
import type { Bron } from "bron";
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { callbackPaths, type CallbackPath } from "../access/callback-paths.ts";
import type { Caller, DoorEnv, On } from "../door.ts";
import { pagePolicy, renderReturnPage } from "../pages.ts";

export interface ConnectionRoutesParts {
  readonly bron: Pick<Bron, "connections">;
  /** As browsers name this server. */
  readonly origin: string;
}

const names: Readonly<Record<string, string>> = { google: "Google", slack: "Slack" };
const nameOf = (provider: string) => names[provider] ?? provider;

/** Accounts outside: what is connected, and the way through the provider's consent page. */
export function addConnectionRoutes(on: On, { bron, origin }: ConnectionRoutesParts): void {
  const redirectUriOf = (provider: string) => `${origin}${callbackPaths.get(provider) ?? ""}`;
  const connect = async (c: Context<DoorEnv>, { ownerId }: Caller, provider: string) => c.redirect((await bron.connections.begin(ownerId, provider, redirectUriOf(provider))).url, 303);
  const disconnect = async ({ ownerId }: Caller, provider: string) => {
    await bron.connections.disconnect(ownerId, provider);
    return { connections: await bron.connections.list(ownerId) };
  };

  on("GET /api/connections", async ({ caller: { ownerId } }) => ({ connections: await bron.connections.list(ownerId) }));
  on("GET /api/connections/:provider/connect", ({ c, caller, params }) => connect(c, caller, params.provider));
  on("POST /api/connections/:provider/disconnect", ({ caller, params }) => disconnect(caller, params.provider));
  on("GET /api/gmail/connect", ({ c, caller }) => connect(c, caller, "google"));
  on("POST /api/gmail/disconnect", ({ caller }) => disconnect(caller, "google"));

  // A page and not a redirect: the strict cookie goes along only on a way that begins here.
  const comeBack = (provider: string, path: CallbackPath) =>
    on(`GET ${path}`, async ({ c }) => {
      const { state = "", code = "", error } = c.req.query();
      const policy = { "content-security-policy": pagePolicy };
      // Whoever only looks must not use it up.
      if (c.req.method === "HEAD") return c.body(null, 200);
      if (error !== undefined) return c.html(renderReturnPage(`${nameOf(provider)} was not connected: it was declined.`), 200, policy);
      try {
        const { account } = await bron.connections.finish(provider, { state, code, redirectUri: redirectUriOf(provider) });
        return c.html(renderReturnPage(`${nameOf(provider)} is connected: ${account}.`), 200, policy);
      } catch (failure) {
        if (!BronError.is(failure) || !errorTable[failure.code].public) throw failure;
        return c.html(renderReturnPage(`${nameOf(provider)} was not connected. ${failure.message}`), errorTable[failure.code].status as ContentfulStatusCode, policy);
      }
    });
  for (const [provider, path] of callbackPaths) comeBack(provider, path);
}
