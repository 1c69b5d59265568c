import { scopes } from "@bron/protocol";
import type { Bron } from "bron";
import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import type { Caller, DoorEnv } from "../door.ts";
import type { Firebase } from "./firebase.ts";
import { sessionCookieName } from "./session-cookie.ts";
import { isTerminal } from "./terminal-token.ts";

export interface AuthenticateParts {
  readonly bron: Pick<Bron, "sign" | "sessions" | "tokens">;
  /** Of this machine: whoever has the home's secret, or used a link of theirs. */
  readonly ownerId: string;
  readonly serverId: string;
  readonly port: number;
  readonly firebase: Firebase | undefined;
}

/** Who asks: a token or terminal by its header, else a browser by its cookie. */
export async function authenticate(
  c: Context<DoorEnv>,
  parts: AuthenticateParts,
): Promise<Caller | undefined> {
  const authorization = c.req.header("authorization");
  if (authorization !== undefined) return await byHeader(authorization, parts);
  return (await byLink(c, parts)) ?? (await byFirebase(c, parts));
}

const tokenPattern = /^Bearer (bron_[\w-]{20,100})$/i;

async function byHeader(
  authorization: string,
  { bron, ownerId, serverId }: AuthenticateParts,
): Promise<Caller | undefined> {
  const token = tokenPattern.exec(authorization)?.[1];
  if (token === undefined)
    return isTerminal(authorization, { sign: bron.sign, ownerId, serverId, now: Date.now() })
      ? { ownerId, via: "terminal", scopes, email: null, isStillGood: () => Promise.resolve(true) }
      : undefined;
  const found = await bron.tokens.find(token);
  return (
    found && {
      ownerId: found.ownerId,
      via: "token",
      scopes: found.scopes,
      email: null,
      tokenId: found.id,
      isStillGood: async () => (await bron.tokens.find(token)) !== undefined,
    }
  );
}

async function byLink(
  c: Context<DoorEnv>,
  { bron, ownerId, port }: AuthenticateParts,
): Promise<Caller | undefined> {
  const secret = getCookie(c, sessionCookieName(port));
  const session =
    secret === undefined || secret === "" ? undefined : await bron.sessions.find(secret);
  if (secret === undefined || session?.via !== "link" || session.ownerId !== ownerId)
    return undefined;
  return {
    ownerId,
    via: "link",
    scopes,
    email: null,
    sessionId: session.id,
    isStillGood: async () => (await bron.sessions.find(secret)) !== undefined,
  };
}

async function byFirebase(
  c: Context<DoorEnv>,
  { bron, firebase }: AuthenticateParts,
): Promise<Caller | undefined> {
  const cookie = firebase && getCookie(c, firebase.cookieName);
  const user = cookie === undefined ? undefined : await firebase?.verify(cookie);
  if (cookie === undefined || !user) return undefined;
  const ownerId = `firebase:${user.uid}`;
  const session = await bron.sessions.admit(ownerId, {
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
      isStillGood: async () => (await bron.sessions.find(cookie)) !== undefined,
    }
  );
}
