import { createHmac, randomBytes } from "node:crypto";
import type { FunctionCall } from "./wire.ts";

/**
 * The server keeps nothing between requests, so what it must recognise later is sealed into the call itself: its
 * id and its thought signature carry one nonce per turn and a MAC. The key is fixed: signatures outlive a restart, and
 * there is nothing here to protect.
 */
const sealKey = "bron scripted model";

/** Google documents this word for histories whose calls another model made. */
export const skipSignature = "skip_thought_signature_validator";

function seal(...fields: readonly string[]): string {
  return createHmac("sha256", sealKey).update(fields.join("\n")).digest("hex").slice(0, 24);
}

export function newNonce(): string {
  return randomBytes(8).toString("hex");
}

export function callId(nonce: string, index: number): string {
  return `call_${nonce}_${index}_${seal("id", nonce, String(index))}`;
}

const idShape = /^call_([0-9a-f]{16})_(\d+)_([0-9a-f]{24})$/;

export function isOwnCall(id: string | undefined): boolean {
  const [, nonce, index, mac] = idShape.exec(id ?? "") ?? [];
  return nonce !== undefined && index !== undefined && mac === seal("id", nonce, index);
}

export function thoughtSignature(nonce: string, subject: string): string {
  return Buffer.from(`${nonce}${seal("signature", nonce, subject)}`, "hex").toString("base64");
}

/** True for the signature that was given out with this call; a call whose id the client replaced still counts. */
export function isSignatureOf(call: FunctionCall, signature: string): boolean {
  const nonce = Buffer.from(signature, "base64").toString("hex").slice(0, 16);
  const [, idNonce = nonce] = idShape.exec(call.id ?? "") ?? [];
  return (
    nonce.length === 16 && idNonce === nonce && signature === thoughtSignature(nonce, call.name)
  );
}
