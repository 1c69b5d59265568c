import { BronError, type Sign } from "@bron/core";
import { createHash, timingSafeEqual } from "node:crypto";

export interface Begun {
  readonly state: string;
  readonly codeChallenge: string;
}

export interface SignInState {
  readonly ownerId: string;
  /** For one use. */
  readonly nonce: string;
  readonly codeVerifier: string;
}

const validMs = 10 * 60_000;

/** Nothing is kept between the two halves of a sign-in: the state is signed, and the verifier of PKCE is derived from it. */
export function beginSignIn(
  sign: Sign,
  {
    provider,
    ownerId,
    nonce,
    now,
  }: {
    readonly provider: string;
    readonly ownerId: string;
    readonly nonce: string;
    readonly now: number;
  },
): Begun {
  const content = Buffer.from(JSON.stringify([ownerId, nonce, now + validMs])).toString(
    "base64url",
  );
  return {
    state: `${content}.${sign(`${provider}-state`, content)}`,
    codeChallenge: createHash("sha256")
      .update(verifierOf(sign, provider, nonce))
      .digest("base64url"),
  };
}

/** Throws forbidden for a state that is not ours or too old. That it is used once is the caller's to see to. */
export function readState(
  sign: Sign,
  {
    provider,
    state,
    now,
  }: { readonly provider: string; readonly state: string; readonly now: number },
): SignInState {
  const [content = "", signature = ""] = state.split(".");
  if (!isSame(signature, sign(`${provider}-state`, content)))
    throw new BronError("forbidden", "This sign-in was not begun here. Begin it again.");
  const [ownerId, nonce, expiresAt] = JSON.parse(Buffer.from(content, "base64url").toString()) as [
    string,
    string,
    number,
  ];
  if (now >= expiresAt)
    throw new BronError("forbidden", "This sign-in took too long. Begin it again.");
  return { ownerId, nonce, codeVerifier: verifierOf(sign, provider, nonce) };
}

function verifierOf(sign: Sign, provider: string, nonce: string): string {
  return sign(`${provider}-verifier`, nonce);
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
