import { BronError } from "@bron/core";
import { errorTable } from "@bron/protocol";
import type { Bron } from "bron";
import type { Context, Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { callbackPaths } from "../access/callback-paths.ts";
import type { DoorEnv } from "../gate.ts";
import { pagePolicy, renderReturnPage } from "../pages.ts";

export interface ConnectionRoutesParts {
  readonly bron: Pick<Bron, "connections">;
  readonly ownerId: string;
  readonly origin: string;
}

const names: Readonly<Record<string, string>> = { google: "Google", slack: "Slack" };
const nameOf = (provider: string) => names[provider] ?? provider;

/** Accounts outside: what is connected, and the way through the provider's consent page. */
export function addConnectionRoutes(app: Hono<DoorEnv>, { bron, ownerId, origin }: ConnectionRoutesParts): void {
  const redirectUriOf = (provider: string) => `${origin}${callbackPaths.get(provider) ?? ""}`;
  const connect = async (c: Context<DoorEnv>, provider: string) => c.redirect((await bron.connections.begin(ownerId, provider, redirectUriOf(provider))).url, 303);
  const disconnect = async (c: Context<DoorEnv>, provider: string) => {
    await bron.connections.disconnect(ownerId, provider);
    return c.json({ connections: await bron.connections.list(ownerId) });
  };

  app.get("/api/connections", async (c) => c.json({ connections: await bron.connections.list(ownerId) }));
  app.get("/api/connections/:provider/connect", (c) => connect(c, c.req.param("provider")));
  app.post("/api/connections/:provider/disconnect", (c) => disconnect(c, c.req.param("provider")));
  app.get("/api/gmail/connect", (c) => connect(c, "google"));
  app.post("/api/gmail/disconnect", (c) => disconnect(c, "google"));

  // A page and not a redirect: the strict cookie goes along only on a way that begins here.
  for (const [provider, path] of callbackPaths) {
    app.get(path, async (c) => {
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
  }
}
