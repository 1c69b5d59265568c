import type { Bron } from "bron";
import type { Hono } from "hono";
import { deleteCookie, setCookie } from "hono/cookie";
import { createSession, sessionCookieName, sessionSeconds } from "../access/session.ts";
import { nonceOf } from "../access/sign-in-link.ts";
import type { DoorEnv } from "../gate.ts";
import { pagePolicy, renderEmptyHome, renderSignInPage } from "../pages.ts";

export interface OwnerRoutesParts {
  readonly bron: Pick<Bron, "sign" | "useOnce">;
  readonly ownerId: string;
  readonly port: number;
  readonly endSession: (sessionId: string) => Promise<void>;
  readonly renderHome: (() => Promise<string>) | undefined;
}

/** The owner's own page, and how a browser becomes the owner's. */
export function addOwnerRoutes(app: Hono<DoorEnv>, { bron, ownerId, port, endSession, renderHome }: OwnerRoutesParts): void {
  const cookieName = sessionCookieName(port);
  const cookie = { httpOnly: true, sameSite: "Strict", path: "/" } as const;
  const policy = { "content-security-policy": pagePolicy };

  app.get("/", async (c) => c.html(renderHome ? await renderHome() : renderEmptyHome(), 200, policy));

  app.get("/sign-in", async (c) => {
    // Whoever only looks at a link, as previews do, must not use it up.
    if (c.req.method === "HEAD") return c.body(null, 200);
    const now = Date.now();
    const nonce = nonceOf(c.req.query("token") ?? "", bron.sign, now);
    if (nonce === undefined || !(await bron.useOnce(`sign-in:${nonce}`))) return c.html(renderSignInPage("This link has been used, is too old or is not complete."), 401, policy);
    setCookie(c, cookieName, createSession({ sign: bron.sign, ownerId, now }), { ...cookie, maxAge: sessionSeconds });
    return c.redirect("/", 303);
  });

  app.post("/sign-out", async (c) => {
    const sessionId = c.get("sessionId");
    if (sessionId !== undefined) await endSession(sessionId);
    deleteCookie(c, cookieName, cookie);
    return c.body(null, 204);
  });
}
