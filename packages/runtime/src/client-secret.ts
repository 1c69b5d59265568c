import { sha256, type ClientActionRef } from "@bron/core";
import type { Sign } from "@bron/protocol";

/**
 * The secret of the program that carries out an action. Any process of this installation can derive
 * it, so it is stored nowhere.
 */
export function clientSecret(sign: Sign, { runId, actionId }: ClientActionRef): string {
  return sign("client-action", `${runId.toLowerCase()}\n${actionId.toLowerCase()}`);
}

/** The hash that the start of an action has in the log. */
export async function clientSecretHash(sign: Sign, ref: ClientActionRef): Promise<string> {
  return await hashText(clientSecret(sign, ref));
}

export async function hashText(text: string): Promise<string> {
  return await sha256(new TextEncoder().encode(text));
}
