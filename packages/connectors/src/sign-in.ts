import { requestError } from "@bron/core";
import type { Sign } from "@bron/protocol";
import { createHash, timingSafeEqual } from "node:crypto";

export interface NewSignIn {
  readonly state: string;
  readonly codeChallenge: string;
}

export interface SignInState {
  readonly ownerId: string;
  /** Valid for one sign-in only. */
  readonly nonce: string;
  readonly codeVerifier: string;
}

const validMs = 10 * 60_000;

/**
 * Starts a sign-in without storing anything. The state is signed, and the PKCE verifier is derived
 * from its nonce.
 */
export function createSignInState(
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
): NewSignIn {
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

/**
 * Throws forbidden for a state that was not signed here or has expired. The caller must make sure
 * that its nonce is used only once.
 */
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
    throw requestError("forbidden", { code: "sign_in_foreign" });
  const [ownerId, nonce, expiresAt] = JSON.parse(Buffer.from(content, "base64url").toString()) as [
    string,
    string,
    number,
  ];
  if (now >= expiresAt) throw requestError("forbidden", { code: "sign_in_expired" });
  return { ownerId, nonce, codeVerifier: verifierOf(sign, provider, nonce) };
}

function verifierOf(sign: Sign, provider: string, nonce: string): string {
  return sign(`${provider}-verifier`, nonce);
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
