import { serverIdHeader } from "@bron/protocol";

/** A server on a busy machine may need seconds. One that has ended refuses at once. */
const responseTimeoutMs = 3_000;

/** Returns the ID of the server at this URL, or undefined if no Bron responds. */
export async function fetchServerId(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(new URL("/healthz", url), {
      signal: AbortSignal.timeout(responseTimeoutMs),
      redirect: "error",
    });
    await response.body?.cancel();
    return response.ok ? (response.headers.get(serverIdHeader) ?? undefined) : undefined;
  } catch {
    return undefined;
  }
}
