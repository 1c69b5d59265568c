import type { Sign } from "@bron/client";
import type { HttpBindings } from "@hono/node-server";
import { BronError } from "@bron/core";
import type { Context, MiddlewareHandler } from "hono";
import { getCookie } from "hono/cookie";
import { callbackPaths, isCallback } from "./access/callback-paths.ts";
import { isOwnHost } from "./access/loopback.ts";
import { sessionCookieName, sessionIdOf } from "./access/session.ts";
import { isTerminal } from "./access/terminal-token.ts";
import { refuseOtherThanJson } from "./read-json.ts";
import { RequestRefused } from "./request-refused.ts";
import type { MethodsOf } from "./route-table.ts";

/** `sessionId` is that of the browser that asks; a terminal has none. */
export type DoorEnv = { Bindings: HttpBindings; Variables: { sessionId?: string } };

export interface GateParts {
  readonly sign: Sign;
  readonly ownerId: string;
  readonly serverId: string;
  readonly port: number;
  /** Asked when a request comes, since routes are registered behind the gate. */
  readonly methodsOf: MethodsOf;
  readonly isEnded: (sessionId: string) => Promise<boolean>;
}

/** Open to whoever stands before the machine; everything else is the owner's. */
const openPaths: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/sign-in", ...callbackPaths.values()]);

/** Stands before every route, so that a new one is closed unless it is named above. */
export function createGate(parts: GateParts): MiddlewareHandler<DoorEnv> {
  return async (c, next) => {
    if (!isOwnHost(c.env.incoming.headers.host, parts.port)) throw new RequestRefused("wrong_host", "This name is not one of this machine's own.");
    refuseOtherOrigins(c);
    if (!openPaths.has(c.req.path) && !(await isOwner(c, parts))) throw new BronError("unauthenticated", "Only the owner of this Bron may do this: open a link of `bron open` first.");
    refuseUnknown(c, parts.methodsOf);
    if (changes(c)) refuseOtherThanJson(c.env.incoming);
    return await next();
  };
}

function changes(c: Context<DoorEnv>): boolean {
  return c.req.method !== "GET" && c.req.method !== "HEAD";
}

/** Cookies go along from every port of this machine, so a browser's word about where a request comes from counts too. */
function refuseOtherOrigins(c: Context<DoorEnv>): void {
  const { origin, host = "", "sec-fetch-site": site } = c.env.incoming.headers;
  const isOwnOrigin = origin === undefined || origin.toLowerCase() === `http://${host.toLowerCase()}`;
  // A provider sends browsers back here; what they carry is signed, and good once.
  const isNavigable = !changes(c) && (!c.req.path.startsWith("/api/") || isCallback(c.req.path));
  const isOwnSite = site === undefined || site === "same-origin" || site === "none" || isNavigable;
  if (!isOwnOrigin || !isOwnSite) throw new BronError("forbidden", "A page of another origin may not ask this.");
}

async function isOwner(c: Context<DoorEnv>, { sign, ownerId, serverId, port, isEnded }: GateParts): Promise<boolean> {
  const now = Date.now();
  const authorization = c.req.header("authorization");
  if (authorization !== undefined) return isTerminal(authorization, { sign, ownerId, serverId, now });
  const sessionId = sessionIdOf(getCookie(c, sessionCookieName(port)) ?? "", { sign, ownerId, now });
  if (sessionId === undefined || (await isEnded(sessionId))) return false;
  c.set("sessionId", sessionId);
  return true;
}

function refuseUnknown(c: Context<DoorEnv>, methodsOf: MethodsOf): void {
  const methods = methodsOf(c.req.path);
  // No name of anything has a NUL in it, and a database cannot even be asked about one.
  if (methods.length === 0 || c.req.path.includes("\0")) throw new BronError("not_found", "There is nothing under this path.");
  if (!methods.includes(c.req.method)) throw new RequestRefused("method_not_allowed", `This path does not know ${c.req.method}.`, { allow: methods.join(", ") });
}
