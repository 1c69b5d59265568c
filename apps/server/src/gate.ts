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

export interface GateDeps extends AuthenticateDeps {
  readonly hosts: Hosts;
  /** Asked when a request comes, since routes are registered behind the gate. */
  readonly methodsOf: MethodsOf;
  readonly onCaller: (incoming: IncomingMessage, caller: Caller) => void;
}

const open = Object.entries(api).flatMap(([key, { scope }]) =>
  scope === "open" ? [route(key)] : [],
);
const takesBytes = Object.entries(api).flatMap(([key, endpoint]) =>
  "takesBytes" in endpoint ? [route(key)] : [],
);

/** Stands before every route, so that a new one is closed unless the table calls it open. */
export function createGate(deps: GateDeps): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    refuseTwoHosts(c.env.incoming);
    if (!deps.hosts.isOwn(c.env.incoming.headers.host) && !isScrape(c))
      throw new RequestRefused("wrong_host", "This name is not one of this machine's own.");
    refuseOtherOrigins(c, deps.hosts);
    const isOpen = isOneOf(open, c);
    const caller = isOpen ? undefined : await authenticate(c, deps);
    if (caller) {
      c.set("caller", caller);
      deps.onCaller(c.env.incoming, caller);
    } else if (!isOpen)
      throw new BronError(
        "unauthenticated",
        "Only the owner of this Bron may do this: open a link of `bron open` first.",
      );
    refuseUnknown(c, deps.methodsOf);
    if (changes(c) && c.req.method !== "DELETE" && !isOneOf(takesBytes, c))
      refuseOtherThanJson(c.env.incoming);
    return await next();
  };
}

/** Two readers of such a request may each believe another one of them. */
function refuseTwoHosts({ rawHeaders }: IncomingMessage): void {
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host");
  if (hosts.length > 1)
    throw new BronError("invalid_input", "The request has more than one Host header.");
}

/** A scraper knows this server by its network's name for it, and brings a token, which no page can make a browser send; with one, cookies do not count. */
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
  const asked = c.req.method === "HEAD" ? "GET" : c.req.method;
  return routes.some(({ method, pattern }) => method === asked && pattern.test(c.req.path));
}

function changes(c: Context<ServerEnv>): boolean {
  return c.req.method !== "GET" && c.req.method !== "HEAD";
}

/** Cookies go along from every port of this machine, so a browser's word about where a request comes from counts too. */
function refuseOtherOrigins(c: Context<ServerEnv>, hosts: Hosts): void {
  const { origin, host = "", "sec-fetch-site": site } = c.env.incoming.headers;
  const isOwnOrigin = origin === undefined || hosts.isOwnOrigin(origin, host);
  // A provider sends browsers back here; what they carry is signed, and good once.
  const isNavigable = !changes(c) && (!c.req.path.startsWith("/api/") || isCallback(c.req.path));
  const isOwnSite = site === undefined || site === "same-origin" || site === "none" || isNavigable;
  if (!isOwnOrigin || !isOwnSite)
    throw new BronError("forbidden", "A page of another origin may not ask this.");
}

function refuseUnknown(c: Context<ServerEnv>, methodsOf: MethodsOf): void {
  const methods = methodsOf(c.req.path);
  refuseNul(c.req.path, "The path");
  if (methods.length === 0) throw new BronError("not_found", "There is nothing under this path.");
  if (!methods.includes(c.req.method))
    throw new RequestRefused("method_not_allowed", `This path does not know ${c.req.method}.`, {
      allow: methods.join(", "),
    });
}
