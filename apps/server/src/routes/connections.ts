import { BronError } from "@bron/core";
import { createHash } from "node:crypto";
import { errorTable } from "@bron/protocol";
import type { Runtime } from "bron";
import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { callbackPaths, type CallbackPath } from "../access/callback-paths.ts";
import type { Hosts } from "../access/hosts.ts";
import { isSameText } from "../access/same-text.ts";
import type { Caller, ServerEnv, On } from "../register-endpoint.ts";
import { pagePolicy, renderReturnPage } from "../pages.ts";

export interface ConnectionRoutesDeps {
  readonly runtime: Pick<Runtime, "connections">;
  /** As browsers name this server. */
  readonly origin: string;
  readonly port: number;
  readonly hosts: Hosts;
}

/** As long as a sign-in may take. */
const beginningSeconds = 10 * 60;

const names: Readonly<Record<string, string>> = { google: "Google", slack: "Slack" };
const nameOf = (provider: string) => names[provider] ?? provider;

/** Accounts outside: what is connected, and the way through the provider's consent page. */
export function addConnectionRoutes(
  on: On,
  { runtime, origin, port, hosts }: ConnectionRoutesDeps,
): void {
  const redirectUriOf = (provider: string) => `${origin}${callbackPaths.get(provider) ?? ""}`;
  // Lax and not strict: it must come along when the provider sends the browser back.
  const cookieName = `bron_connect_${port}`;
  const cookieFor = (c: Context<ServerEnv>) =>
    ({
      httpOnly: true,
      sameSite: "Lax",
      path: "/api/",
      secure: hosts.isSecure(c.req.header("host")),
    }) as const;
  /** Only the browser that began may finish: else somebody could have another person's account connected as their own. */
  const mark = (url: string) =>
    createHash("sha256")
      .update(new URL(url).searchParams.get("state") ?? "")
      .digest("base64url");
  const connect = async (c: Context<ServerEnv>, { ownerId }: Caller, provider: string) => {
    const { url } = await runtime.connections.startSignIn(
      ownerId,
      provider,
      redirectUriOf(provider),
    );
    setCookie(c, cookieName, mark(url), { ...cookieFor(c), maxAge: beginningSeconds });
    return c.redirect(url, 303);
  };
  const disconnect = async ({ ownerId }: Caller, provider: string) => {
    await runtime.connections.disconnect(ownerId, provider);
    return { connections: await runtime.connections.list(ownerId) };
  };

  on("GET /api/connections", async ({ caller: { ownerId } }) => ({
    connections: await runtime.connections.list(ownerId),
  }));
  on("GET /api/connections/:provider/connect", ({ c, caller, params }) =>
    connect(c, caller, params.provider),
  );
  on("POST /api/connections/:provider/disconnect", ({ caller, params }) =>
    disconnect(caller, params.provider),
  );
  on("GET /api/gmail/connect", ({ c, caller }) => connect(c, caller, "google"));
  on("POST /api/gmail/disconnect", ({ caller }) => disconnect(caller, "google"));

  // A page and not a redirect: the strict cookie goes along only on a way that begins here.
  const comeBack = (provider: string, path: CallbackPath) =>
    on(`GET ${path}`, async ({ c, query: { state, code, error } }) => {
      const policy = { "content-security-policy": pagePolicy };
      // Whoever only looks must not use it up.
      if (c.req.method === "HEAD") return c.body(null, 200);
      if (error !== undefined)
        return c.html(
          renderReturnPage(`${nameOf(provider)} was not connected: it was declined.`),
          200,
          policy,
        );
      if (!isSameText(getCookie(c, cookieName) ?? "", mark(c.req.url)))
        return c.html(
          renderReturnPage(
            `${nameOf(provider)} was not connected: this was not begun in this browser. Begin it again here.`,
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
          renderReturnPage(`${nameOf(provider)} is connected: ${account}.`),
          200,
          policy,
        );
      } catch (failure) {
        if (!BronError.is(failure) || !errorTable[failure.code].public) throw failure;
        return c.html(
          renderReturnPage(`${nameOf(provider)} was not connected. ${failure.message}`),
          errorTable[failure.code].status as ContentfulStatusCode,
          policy,
        );
      }
    });
  for (const [provider, path] of callbackPaths) comeBack(provider, path);
}
