import { requestError } from "@bron/core";
import type { Sign } from "@bron/protocol";
import { createHash, timingSafeEqual } from "node:crypto";

interface NewSignIn {
  readonly state: string;
  readonly codeChallenge: string;
}

interface SignInState {
  readonly ownerId: string;
  /** Valid for one sign-in only. */
  readonly nonce: string;
  readonly codeVerifier: string;
  /** The page where the owner began. */
  readonly returnTo: string | undefined;
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
    returnTo,
  }: {
    readonly provider: string;
    readonly ownerId: string;
    readonly nonce: string;
    readonly now: number;
    readonly returnTo?: string | undefined;
  },
): NewSignIn {
  const fields = [ownerId, nonce, now + validMs, ...(returnTo === undefined ? [] : [returnTo])];
  const content = Buffer.from(JSON.stringify(fields)).toString("base64url");
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
  const fields = readFields(sign, provider, state);
  if (!fields) throw requestError("forbidden", { code: "sign_in_foreign" });
  const [ownerId, nonce, expiresAt, returnTo] = fields;
  if (now >= expiresAt) throw requestError("forbidden", { code: "sign_in_expired" });
  return { ownerId, nonce, codeVerifier: verifierOf(sign, provider, nonce), returnTo };
}

/** The page where a sign-in began, also after it expired. Undefined if the state is not ours. */
export function returnPathIn(sign: Sign, provider: string, state: string): string | undefined {
  return readFields(sign, provider, state)?.[3];
}

type Fields = readonly [ownerId: string, nonce: string, expiresAt: number, returnTo?: string];

function readFields(sign: Sign, provider: string, state: string): Fields | undefined {
  const [content = "", signature = ""] = state.split(".");
  if (!isSame(signature, sign(`${provider}-state`, content))) return undefined;
  return JSON.parse(Buffer.from(content, "base64url").toString()) as Fields;
}

function verifierOf(sign: Sign, provider: string, nonce: string): string {
  return sign(`${provider}-verifier`, nonce);
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
