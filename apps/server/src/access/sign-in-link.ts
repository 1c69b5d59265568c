import type { Sign } from "@bron/protocol";
import { randomBytes } from "node:crypto";
import { isSameText } from "./same-text.ts";

const lifeMs = 10 * 60_000;
const purpose = "sign-in";

interface SignInLinkOptions {
  readonly sign: Sign;
  /** The server's URL, such as `http://127.0.0.1:4310`. */
  readonly url: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Creates a link that signs in one browser, once, within ten minutes. Any process with the home's
 * secret can create one.
 */
export function signInLink({ sign, url, now }: SignInLinkOptions): string {
  const claim = `${randomBytes(16).toString("base64url")}.${now + lifeMs}`;
  const link = new URL("/sign-in", url);
  link.searchParams.set("token", `${claim}.${sign(purpose, claim)}`);
  return link.href;
}

/**
 * The nonce of a valid token, which marks the token as used. Undefined if it is forged or expired.
 */
export function nonceOf(token: string, sign: Sign, now: number): string | undefined {
  const [nonce = "", expiry = "", signature = "", ...more] = token.split(".");
  if (more.length > 0 || !isSameText(signature, sign(purpose, `${nonce}.${expiry}`)))
    return undefined;
  const leftMs = Number(expiry) - now;
  return leftMs > 0 && leftMs <= lifeMs ? nonce : undefined;
}
