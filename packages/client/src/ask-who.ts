import { serverIdHeader } from "@bron/protocol";

const answerMs = 1_000;

/** The id of the Bron that answers there; undefined if none does. */
export async function askWho(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(new URL("/healthz", url), {
      signal: AbortSignal.timeout(answerMs),
      redirect: "error",
    });
    await response.body?.cancel();
    return response.ok ? (response.headers.get(serverIdHeader) ?? undefined) : undefined;
  } catch {
    return undefined;
  }
}
