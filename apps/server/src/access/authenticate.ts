import { scopes } from "@bron/protocol";
import type { RuntimeWithAccess } from "@bron/runtime";
import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import type { Caller, ServerEnv } from "../register-endpoint.ts";
import type { Firebase } from "./firebase.ts";
import { sessionCookieName } from "./session-cookie.ts";
import { isTerminal } from "./terminal-token.ts";

export interface AuthenticateDeps {
  readonly runtime: Pick<RuntimeWithAccess, "sign" | "sessions" | "tokens">;
  /** The owner of this machine, who signs in with the home's secret or with a link made from it. */
  readonly ownerId: string;
  readonly serverId: string;
  readonly port: number;
  readonly firebase: Firebase | undefined;
}

/**
 * Identifies the caller: a token or a terminal by its header, otherwise a browser by its cookie.
 */
export async function authenticate(
  c: Context<ServerEnv>,
  deps: AuthenticateDeps,
): Promise<Caller | undefined> {
  const authorization = c.req.header("authorization");
  if (authorization !== undefined) return await byHeader(authorization, deps);
  return (await byLink(c, deps)) ?? (await byFirebase(c, deps));
}

const tokenPattern = /^Bearer (bron_[\w-]{20,100})$/i;

async function byHeader(
  authorization: string,
  { runtime, ownerId, serverId }: AuthenticateDeps,
): Promise<Caller | undefined> {
  const token = tokenPattern.exec(authorization)?.[1];
  if (token === undefined)
    return isTerminal(authorization, { sign: runtime.sign, ownerId, serverId, now: Date.now() })
      ? { ownerId, via: "terminal", scopes, email: null, isStillValid: () => Promise.resolve(true) }
      : undefined;
  const found = await runtime.tokens.find(token);
  return (
    found && {
      ownerId: found.ownerId,
      via: "token",
      scopes: found.scopes,
      email: null,
      tokenId: found.id,
      tokenName: found.name,
      isStillValid: async () => (await runtime.tokens.find(token)) !== undefined,
    }
  );
}

async function byLink(
  c: Context<ServerEnv>,
  { runtime, ownerId, port }: AuthenticateDeps,
): Promise<Caller | undefined> {
  const secret = getCookie(c, sessionCookieName(port));
  const session =
    secret === undefined || secret === "" ? undefined : await runtime.sessions.find(secret);
  if (secret === undefined || session?.via !== "link" || session.ownerId !== ownerId)
    return undefined;
  return {
    ownerId,
    via: "link",
    scopes,
    email: null,
    sessionId: session.id,
    isStillValid: async () => (await runtime.sessions.find(secret)) !== undefined,
  };
}

async function byFirebase(
  c: Context<ServerEnv>,
  { runtime, firebase }: AuthenticateDeps,
): Promise<Caller | undefined> {
  const cookie = firebase && getCookie(c, firebase.cookieName);
  const user = cookie === undefined ? undefined : await firebase?.verify(cookie);
  if (cookie === undefined || !user) return undefined;
  const ownerId = `firebase:${user.uid}`;
  const session = await runtime.sessions.admit(ownerId, {
    via: "firebase",
    secret: cookie,
    userAgent: c.req.header("user-agent") ?? "",
    signedInAt: user.signedInAt,
    expiresAt: user.expiresAt,
  });
  return (
    session && {
      ownerId,
      via: "firebase",
      scopes,
      email: user.email,
      sessionId: session.id,
      isStillValid: async () => (await runtime.sessions.find(cookie)) !== undefined,
    }
  );
}
