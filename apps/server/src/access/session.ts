import type { Sign } from "@bron/client";
import { randomBytes } from "node:crypto";
import { isSameText } from "./same-text.ts";

export const sessionSeconds = 30 * 86_400;
/** Clocks of one machine may be set back a little. */
const skewMs = 60_000;

interface SessionOf {
  readonly sign: Sign;
  readonly ownerId: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Browsers keep one set of cookies for all ports of a machine, so each server has a name of its own. */
export function sessionCookieName(port: number): string {
  return `bron_session_${port}`;
}

export function createSession({ sign, ownerId, now }: SessionOf): string {
  const claim = `${randomBytes(16).toString("base64url")}.${now}`;
  return `${claim}.${signatureOf(sign, ownerId, claim)}`;
}

/** The id of a session that is the owner's and not too old. */
export function sessionIdOf(value: string, { sign, ownerId, now }: SessionOf): string | undefined {
  const [id = "", issuedAt = "", signature = "", ...more] = value.split(".");
  if (more.length > 0 || !isSameText(signature, signatureOf(sign, ownerId, `${id}.${issuedAt}`))) return undefined;
  const ageMs = now - Number(issuedAt);
  return ageMs >= -skewMs && ageMs < sessionSeconds * 1_000 ? id : undefined;
}

function signatureOf(sign: Sign, ownerId: string, claim: string): string {
  return sign("session", `${ownerId}\n${claim}`);
}
