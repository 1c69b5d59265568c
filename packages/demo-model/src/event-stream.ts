import type { ServerResponse } from "node:http";
import { setImmediate, setTimeout } from "node:timers/promises";

export function startEvents(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  response.flushHeaders();
}

/** Resolves to false when the client has disconnected. Waits for a slow reader. */
export async function sendEvent(response: ServerResponse, data: string): Promise<boolean> {
  if (response.closed || response.destroyed) return false;
  if (!response.write(`data: ${data}\r\n\r\n`)) await drainOrClose(response);
  return !response.closed;
}

function drainOrClose(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off("drain", done).off("close", done);
      resolve();
    };
    response.on("drain", done).on("close", done);
  });
}

/** Sends all chunks with a pause between them. Resolves to false if the client disconnects. */
export async function sendEvents(
  response: ServerResponse,
  events: Iterable<unknown>,
  delayMs: number,
): Promise<boolean> {
  let isFirst = true;
  for (const event of events) {
    if (!isFirst && delayMs > 0) await pause(response, delayMs);
    isFirst = false;
    if (!(await sendEvent(response, JSON.stringify(event)))) return false;
  }
  return true;
}

/** Ends early when the client disconnects. A pause of zero still yields to the event loop. */
export async function pause(response: ServerResponse, delayMs: number): Promise<void> {
  if (delayMs <= 0) return await setImmediate();
  const gone = new AbortController();
  const leave = () => gone.abort();
  response.once("close", leave);
  try {
    await setTimeout(delayMs, undefined, { signal: gone.signal });
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  } finally {
    response.off("close", leave);
  }
}
