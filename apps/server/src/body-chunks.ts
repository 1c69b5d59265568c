import { BronError } from "@bron/core";
import type { IncomingMessage } from "node:http";
import { RequestRefused } from "./request-refused.ts";

export interface ChunkTimes {
  /** Longest wait for the next piece. */
  readonly idleMs: number;
  readonly totalMs: number;
}

/** A body as it comes. Whoever stops reading it can still be answered. Throws body_timeout, or invalid_input if it is cut off. */
export async function* bodyChunks(
  incoming: IncomingMessage,
  { idleMs, totalMs }: ChunkTimes,
): AsyncGenerator<Uint8Array, void> {
  const overAt = performance.now() + totalMs;
  const chunks = incoming.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
  // What still comes in an error's wake is nobody's business.
  incoming.on("error", () => undefined);
  for (;;) {
    const { done, value } = await inTime(
      chunks.next(),
      Math.max(1, Math.min(idleMs, overAt - performance.now())),
    );
    if (done === true) return;
    yield value;
  }
}

async function inTime<T>(next: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new RequestRefused("body_timeout", "The body came too slowly.")),
      ms,
    );
  });
  try {
    return await Promise.race([next, late]);
  } catch (error) {
    if (error instanceof RequestRefused) throw error;
    throw new BronError("invalid_input", "The body ended before its end.", { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
