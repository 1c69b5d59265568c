import { BronError } from "@bron/core";
import type { IncomingMessage } from "node:http";
import { RequestRefused } from "./request-refused.ts";

export interface ChunkTimes {
  /** Longest wait for the next chunk. */
  readonly idleMs: number;
  readonly totalMs: number;
}

/**
 * Streams a request body. The server can still respond after the reader stops early. Throws
 * body_timeout, or invalid_input if the body is cut off.
 */
export async function* bodyChunks(
  incoming: IncomingMessage,
  { idleMs, totalMs }: ChunkTimes,
): AsyncGenerator<Uint8Array, void> {
  const deadline = performance.now() + totalMs;
  const chunks = incoming.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
  // Ignores later errors of the request, which would otherwise be uncaught.
  incoming.on("error", () => undefined);
  for (;;) {
    const { done, value } = await withTimeout(
      chunks.next(),
      Math.max(1, Math.min(idleMs, deadline - performance.now())),
    );
    if (done === true) return;
    yield value;
  }
}

async function withTimeout<T>(next: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new RequestRefused("body_timeout", "The request body arrived too slowly.")),
      ms,
    );
  });
  try {
    return await Promise.race([next, late]);
  } catch (error) {
    if (error instanceof RequestRefused) throw error;
    throw new BronError("invalid_input", "The request body was cut off.", { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
