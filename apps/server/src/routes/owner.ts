import type { RuntimeWithAccess } from "@bron/runtime";
import type { Hono } from "hono";
import { deleteCookie, setCookie } from "hono/cookie";
import type { Hosts } from "../access/hosts.ts";
import { sessionCookieName, sessionMs } from "../access/session-cookie.ts";
import { nonceOf } from "../access/sign-in-link.ts";
import type { ServerEnv, On } from "../register-endpoint.ts";
import { pagePolicy, renderEmptyHome, renderSignInPage } from "../pages.ts";

interface OwnerRoutesDeps {
  readonly runtime: Pick<RuntimeWithAccess, "clientFor" | "sign" | "useOnce" | "sessions">;
  readonly ownerId: string;
  readonly port: number;
  readonly hosts: Hosts;
  readonly renderHome: (() => Promise<string>) | undefined;
}

/** The owner's home page, and sign-in and sign-out of a browser. */
export function addOwnerRoutes(
  app: Hono<ServerEnv>,
  on: On,
  { runtime, ownerId, port, hosts, renderHome }: OwnerRoutesDeps,
): void {
  const cookieName = sessionCookieName(port);
  const cookieFor = (host: string | undefined) =>
    ({ httpOnly: true, sameSite: "Strict", path: "/", secure: hosts.isSecure(host) }) as const;
  const policy = { "content-security-policy": pagePolicy };

  app.get("/", async (c) =>
    c.html(renderHome ? await renderHome() : renderEmptyHome(), 200, policy),
  );

  on("GET /sign-in", async ({ query, c }) => {
    // A HEAD request, such as from a link preview, must not use up the link.
    if (c.req.method === "HEAD") return c.body(null, 200);
    const nonce = nonceOf(query.token, runtime.sign, Date.now());
    if (nonce === undefined || !(await runtime.useOnce(`sign-in:${nonce}`)))
      return c.html(
        renderSignInPage("This link was already used, has expired or is incomplete."),
        401,
        policy,
      );
    const { secret } = await runtime.sessions.open(ownerId, {
      via: "link",
      userAgent: c.req.header("user-agent") ?? "",
      lifeMs: sessionMs,
    });
    setCookie(c, cookieName, secret, {
      ...cookieFor(c.req.header("host")),
      maxAge: sessionMs / 1_000,
    });
    return c.redirect("/", 303);
  });

  on("POST /sign-out", async ({ caller, c }) => {
    if (caller.sessionId !== undefined)
      await runtime
        .clientFor(caller)
        .call("DELETE /api/sessions/:id", { params: { id: caller.sessionId } });
    deleteCookie(c, cookieName, cookieFor(c.req.header("host")));
    return c.body(null, 204);
  });
}
