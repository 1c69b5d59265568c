import { BronError } from "@bron/core";
import { api } from "@bron/protocol";
import type { Context, MiddlewareHandler } from "hono";
import type { IncomingMessage } from "node:http";
import { authenticate, type AuthenticateDeps } from "./access/authenticate.ts";
import { isCallback } from "./access/callback-paths.ts";
import type { Hosts } from "./access/hosts.ts";
import { split, type Caller, type ServerEnv } from "./register-endpoint.ts";
import { refuseOtherThanJson } from "./read-json.ts";
import { refuseNul } from "./refuse-nul.ts";
import { RequestRefused } from "./request-refused.ts";
import { patternOf, type MethodsOf } from "./route-table.ts";

interface GateDeps extends AuthenticateDeps {
  readonly hosts: Hosts;
  /** Called for each request, because the routes are registered after the gate. */
  readonly methodsOf: MethodsOf;
  readonly onCaller: (incoming: IncomingMessage, caller: Caller) => void;
}

const open = Object.entries(api).flatMap(([key, { scope }]) =>
  scope === "open" ? [route(key)] : [],
);
const takesBytes = Object.entries(api).flatMap(([key, endpoint]) =>
  "takesBytes" in endpoint ? [route(key)] : [],
);

/**
 * Runs before every route. A new route requires a caller unless the table of endpoints marks it as
 * open.
 */
export function createGate(deps: GateDeps): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    refuseTwoHosts(c.env.incoming);
    if (!deps.hosts.isOwn(c.env.incoming.headers.host) && !isScrape(c))
      throw new RequestRefused("wrong_host", "Unknown host name.");
    refuseOtherOrigins(c, deps.hosts);
    const isOpen = isOneOf(open, c);
    const caller = isOpen ? undefined : await authenticate(c, deps);
    if (caller) {
      c.set("caller", caller);
      deps.onCaller(c.env.incoming, caller);
    } else if (!isOpen)
      throw new BronError("unauthenticated", "Sign in first: run `bron open` and open the link.");
    refuseUnknown(c, deps.methodsOf);
    if (changes(c) && c.req.method !== "DELETE" && !isOneOf(takesBytes, c))
      refuseOtherThanJson(c.env.incoming);
    return await next();
  };
}

/** With two Host headers, a proxy and this server could each trust a different one. */
function refuseTwoHosts({ rawHeaders }: IncomingMessage): void {
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host");
  if (hosts.length > 1)
    throw new BronError("invalid_input", "The request has more than one Host header.");
}

/**
 * A scraper may use the server's internal network name. This is safe, because it sends a token,
 * which no page can make a browser send, and cookies are ignored then.
 */
function isScrape(c: Context<ServerEnv>): boolean {
  return (
    c.req.method === "GET" &&
    c.req.path === "/metrics" &&
    c.req.header("authorization") !== undefined
  );
}

function route(key: string): { method: string; pattern: RegExp } {
  const [method, path] = split(key);
  return { method, pattern: patternOf(path) };
}

function isOneOf(routes: readonly ReturnType<typeof route>[], c: Context<ServerEnv>): boolean {
  const requested = c.req.method === "HEAD" ? "GET" : c.req.method;
  return routes.some(({ method, pattern }) => method === requested && pattern.test(c.req.path));
}

function changes(c: Context<ServerEnv>): boolean {
  return c.req.method !== "GET" && c.req.method !== "HEAD";
}

/**
 * Checks the origin that the browser reports, because it sends cookies from every port of this
 * machine.
 */
function refuseOtherOrigins(c: Context<ServerEnv>, hosts: Hosts): void {
  const { origin, host = "", "sec-fetch-site": site } = c.env.incoming.headers;
  const isOwnOrigin = origin === undefined || hosts.isOwnOrigin(origin, host);
  // A provider redirects browsers to the callback. The request is signed and valid once.
  const isNavigable = !changes(c) && (!c.req.path.startsWith("/api/") || isCallback(c.req.path));
  const isOwnSite = site === undefined || site === "same-origin" || site === "none" || isNavigable;
  if (!isOwnOrigin || !isOwnSite)
    throw new BronError("forbidden", "Cross-origin requests aren't allowed.");
}

function refuseUnknown(c: Context<ServerEnv>, methodsOf: MethodsOf): void {
  const methods = methodsOf(c.req.path);
  refuseNul(c.req.path, "The path");
  if (methods.length === 0) throw new BronError("not_found", "Not found.");
  if (!methods.includes(c.req.method))
    throw new RequestRefused("method_not_allowed", `This path does not support ${c.req.method}.`, {
      allow: methods.join(", "),
    });
}
