import type { Sign } from "@bron/client";
import { randomBytes } from "node:crypto";
import { isSameText } from "./same-text.ts";

const lifeMs = 10 * 60_000;
const purpose = "sign-in";

interface SignInLinkOptions {
  readonly sign: Sign;
  /** The server's address, as in `http://127.0.0.1:4310`. */
  readonly url: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Signs in one browser, once, within ten minutes. Any process that has the home's secret can make one. */
export function signInLink({ sign, url, now }: SignInLinkOptions): string {
  const claim = `${randomBytes(16).toString("base64url")}.${now + lifeMs}`;
  const link = new URL("/sign-in", url);
  link.searchParams.set("token", `${claim}.${sign(purpose, claim)}`);
  return link.href;
}

/** The name under which a token is used up; undefined if it is forged or no longer good. */
export function nonceOf(token: string, sign: Sign, now: number): string | undefined {
  const [nonce = "", expiry = "", signature = "", ...more] = token.split(".");
  if (more.length > 0 || !isSameText(signature, sign(purpose, `${nonce}.${expiry}`)))
    return undefined;
  const leftMs = Number(expiry) - now;
  return leftMs > 0 && leftMs <= lifeMs ? nonce : undefined;
}
