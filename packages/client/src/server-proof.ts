import { challengeHeader, proofHeader, serverIdHeader } from "@bron/protocol";
import type { Sign } from "./sign.ts";

const answerMs = 5_000;

interface Suspect {
  readonly url: string;
  readonly serverId: string;
  readonly sign: Sign;
}

/** By which a server shows that it has the secret of its home, without telling anything that could be used again. */
export function serverProof(sign: Sign, serverId: string, challenge: string): string {
  return sign("server", `${serverId}\n${challenge}`);
}

/**
 * Whether the server that was there is still the one that answers: a program that took a dead one's port knows its id but not the
 * secret. `silent` if none answers.
 */
export async function proveServer({
  url,
  serverId,
  sign,
}: Suspect): Promise<"proved" | "other" | "silent"> {
  const challenge = crypto.randomUUID();
  try {
    const { ok, headers, body } = await fetch(new URL("/healthz", url), {
      headers: { [challengeHeader]: challenge },
      signal: AbortSignal.timeout(answerMs),
      redirect: "error",
    });
    await body?.cancel();
    const isProved =
      ok &&
      headers.get(serverIdHeader) === serverId &&
      headers.get(proofHeader) === serverProof(sign, serverId, challenge);
    return isProved ? "proved" : "other";
  } catch {
    return "silent";
  }
}
