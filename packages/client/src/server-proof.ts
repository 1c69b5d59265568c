import {
  challengeHeader,
  proofHeader,
  serverIdHeader,
  serverProof,
  type Sign,
} from "@bron/protocol";

const responseTimeoutMs = 5_000;

interface ServerToProve {
  readonly url: string;
  readonly serverId: string;
  readonly sign: Sign;
}

/**
 * Checks that the server with this ID still responds at the URL. A program that took over the port
 * of a dead server may know the ID, but not the secret. Returns `silent` if there is no response.
 */
export async function proveServer({
  url,
  serverId,
  sign,
}: ServerToProve): Promise<"proved" | "other" | "silent"> {
  const challenge = crypto.randomUUID();
  try {
    const { ok, headers, body } = await fetch(new URL("/healthz", url), {
      headers: { [challengeHeader]: challenge },
      signal: AbortSignal.timeout(responseTimeoutMs),
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
