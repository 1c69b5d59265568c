import { BronError } from "@bron/core";
import type { FlowLimit } from "./flow-limit.ts";

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

interface BoundedFetchInput {
  readonly flow: FlowLimit;
  /** Headers of the entry, and those of a sign-in. */
  readonly headers: () => Promise<Readonly<Record<string, string>>>;
  /** Called with the `www-authenticate` header of a 401. */
  readonly onUnauthorized: (challenge: string | null) => void;
  /** Called when a response is too large. */
  readonly onFlood: (error: unknown) => void;
  readonly fetch: Fetch;
}

/**
 * A fetch for one server. It follows no redirect, because the headers of the entry are secrets for
 * this address only, and it counts what comes back.
 */
export function createBoundedFetch(input: BoundedFetchInput): Fetch {
  return async (url, init) => {
    const headers = new Headers(init?.headers);
    for (const [name, value] of Object.entries(await input.headers())) headers.set(name, value);
    const response = await input.fetch(url, { ...init, headers, redirect: "manual" });
    if (response.status === 401) input.onUnauthorized(response.headers.get("www-authenticate"));
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      throw new BronError(
        "tool_failed",
        "The server redirects to another address. Use that address in its url.",
      );
    }
    if (!response.body) return response;
    const counted = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          try {
            input.flow.countBytes(chunk.byteLength);
            controller.enqueue(chunk);
          } catch (error) {
            controller.error(error);
            input.onFlood(error);
          }
        },
      }),
    );
    const { status, statusText, headers: responseHeaders } = response;
    return new Response(counted, { status, statusText, headers: responseHeaders });
  };
}
