import { BronError } from "@bron/core";
import { errorTable } from "@bron/protocol";
import type { Bron } from "bron";
import type { Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { callbackPath } from "../access/callback-path.ts";
import type { DoorEnv } from "../gate.ts";
import { pagePolicy, renderReturnPage } from "../pages.ts";

export interface ConnectionRoutesParts {
  readonly bron: Pick<Bron, "connections">;
  readonly ownerId: string;
  readonly origin: string;
}

const provider = "google";

/** Accounts outside: what is connected, and the way through the provider's consent page. */
export function addConnectionRoutes(app: Hono<DoorEnv>, { bron, ownerId, origin }: ConnectionRoutesParts): void {
  const redirectUri = `${origin}${callbackPath}`;

  app.get("/api/connections", async (c) => c.json({ connections: await bron.connections.list(ownerId) }));

  app.get("/api/gmail/connect", async (c) => c.redirect((await bron.connections.begin(ownerId, provider, redirectUri)).url, 303));

  // A page and not a redirect: the strict cookie goes along only on a way that begins here.
  app.get(callbackPath, async (c) => {
    const { state = "", code = "", error } = c.req.query();
    const policy = { "content-security-policy": pagePolicy };
    // Whoever only looks must not use it up.
    if (c.req.method === "HEAD") return c.body(null, 200);
    if (error !== undefined) return c.html(renderReturnPage("Gmail was not connected: it was declined."), 200, policy);
    try {
      const { account } = await bron.connections.finish(provider, { state, code, redirectUri });
      return c.html(renderReturnPage(`Gmail is connected: ${account}.`), 200, policy);
    } catch (failure) {
      if (!BronError.is(failure) || !errorTable[failure.code].public) throw failure;
      return c.html(renderReturnPage(`Gmail was not connected. ${failure.message}`), errorTable[failure.code].status as ContentfulStatusCode, policy);
    }
  });

  app.post("/api/gmail/disconnect", async (c) => {
    await bron.connections.disconnect(ownerId, provider);
    return c.json({ connections: await bron.connections.list(ownerId) });
  });
}
