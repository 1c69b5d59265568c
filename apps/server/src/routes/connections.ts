import { BronError } from "@bron/core";
import { createHash } from "node:crypto";
import { errorTable } from "@bron/protocol";
import type { Runtime } from "@bron/runtime";
import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { callbackPathOf, callbackPaths, type CallbackPath } from "../access/callback-paths.ts";
import type { Hosts } from "../access/hosts.ts";
import { isSameText } from "../access/same-text.ts";
import type { Caller, ServerEnv, On } from "../register-endpoint.ts";
import { pagePolicy, renderReturnPage } from "../pages.ts";

interface ConnectionRoutesDeps {
  readonly runtime: Pick<Runtime, "connections">;
  /** The origin under which browsers reach this server. */
  readonly origin: string;
  readonly port: number;
  readonly hosts: Hosts;
}

/** Longest time for a sign-in. */
const signInSeconds = 10 * 60;

const names: Readonly<Record<string, string>> = {
  google: "Google",
  slack: "Slack",
  mcp: "The MCP server",
};
const nameOf = (provider: string) => names[provider] ?? provider;

/** The sign-in through a provider's consent page. */
export function addConnectionRoutes(
  on: On,
  { runtime, origin, port, hosts }: ConnectionRoutesDeps,
): void {
  const redirectUriOf = (provider: string) => `${origin}${callbackPathOf(provider) ?? ""}`;
  // Lax and not Strict, because the browser must send it when the provider redirects back.
  const cookieName = `bron_connect_${port}`;
  const cookieFor = (c: Context<ServerEnv>) =>
    ({
      httpOnly: true,
      sameSite: "Lax",
      path: "/api/",
      secure: hosts.isSecure(c.req.header("host")),
    }) as const;
  /**
   * Ties the sign-in to the browser that started it. Otherwise an attacker could get another
   * person's account connected as their own.
   */
  const stateHash = (url: string) =>
    createHash("sha256")
      .update(new URL(url).searchParams.get("state") ?? "")
      .digest("base64url");
  const connect = async (
    c: Context<ServerEnv>,
    { ownerId }: Caller,
    { provider, returnTo }: { readonly provider: string; readonly returnTo?: string | undefined },
  ) => {
    const { url } = await runtime.connections.startSignIn(
      ownerId,
      provider,
      redirectUriOf(provider),
      { returnTo },
    );
    setCookie(c, cookieName, stateHash(url), { ...cookieFor(c), maxAge: signInSeconds });
    return c.redirect(url, 303);
  };

  on("GET /api/connections/:provider/connect", ({ c, caller, params, query }) =>
    connect(c, caller, { provider: params.provider, returnTo: query.back }),
  );
  on("GET /api/gmail/connect", ({ c, caller, query }) =>
    connect(c, caller, { provider: "google", returnTo: query.back }),
  );

  // Responds with a page and not a redirect, because the browser sends the strict session cookie
  // only with navigation that starts here.
  const addCallback = (provider: string, path: CallbackPath) =>
    on(`GET ${path}`, async ({ c, query: { state, code, error } }) => {
      const policy = { "content-security-policy": pagePolicy };
      // A HEAD request, such as from a link preview, must not use up the code.
      if (c.req.method === "HEAD") return c.body(null, 200);
      const back = runtime.connections.returnPathOf(provider, state);
      if (error !== undefined)
        return c.html(
          renderReturnPage(`You declined access, so ${nameOf(provider)} wasn't connected.`, back),
          200,
          policy,
        );
      if (!isSameText(getCookie(c, cookieName) ?? "", stateHash(c.req.url)))
        return c.html(
          renderReturnPage(
            `${nameOf(provider)} wasn't connected. This sign-in was started in another browser. Try again here.`,
            back,
          ),
          403,
          policy,
        );
      deleteCookie(c, cookieName, cookieFor(c));
      try {
        const { account } = await runtime.connections.finishSignIn(provider, {
          state,
          code,
          redirectUri: redirectUriOf(provider),
        });
        return c.html(
          renderReturnPage(`${nameOf(provider)} is connected: ${account}.`, back),
          200,
          policy,
        );
      } catch (failure) {
        if (!BronError.is(failure) || !errorTable[failure.code].public) throw failure;
        return c.html(
          renderReturnPage(`${nameOf(provider)} wasn't connected. ${failure.message}`, back),
          errorTable[failure.code].status as ContentfulStatusCode,
          policy,
        );
      }
    });
  for (const [provider, path] of callbackPaths) addCallback(provider, path);
}
