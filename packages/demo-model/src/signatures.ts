import { createHmac, randomBytes } from "node:crypto";
import type { FunctionCall } from "./wire.ts";

/**
 * The server keeps no state between requests, so the id and the thought signature of a call carry
 * one nonce per turn and a MAC. The key is fixed because signatures must survive a restart and
 * protect nothing.
 */
const sealKey = "bron scripted model";

/** Google documents this word for calls that another model made. */
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

/** Whether the signature was issued with this call. A client may have replaced the call's id. */
export function isSignatureOf(call: FunctionCall, signature: string): boolean {
  const nonce = Buffer.from(signature, "base64").toString("hex").slice(0, 16);
  const [, idNonce = nonce] = idShape.exec(call.id ?? "") ?? [];
  return (
    nonce.length === 16 && idNonce === nonce && signature === thoughtSignature(nonce, call.name)
  );
}
