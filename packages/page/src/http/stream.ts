import type { PageEvent } from "../wire.ts";

export type StreamFormat = "ndjson" | "sse";

/** How the page wants the response. Undefined: as one JSON object. */
export function streamFormatOf(request: Request): StreamFormat | undefined {
  const accept = request.headers.get("accept") ?? "";
  if (accept.includes("text/event-stream")) return "sse";
  return accept.includes("application/x-ndjson") ? "ndjson" : undefined;
}

const contentTypes = { ndjson: "application/x-ndjson", sse: "text/event-stream" } as const;

/** A response whose events `produce` sends. It is canceled when the page goes away. */
export function streamResponse(
  format: StreamFormat,
  headers: Readonly<Record<string, string>>,
  produce: (send: (event: PageEvent) => void, signal: AbortSignal) => Promise<void>,
): Response {
  const abort = new AbortController();
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const send = (event: PageEvent) => {
        if (abort.signal.aborted) return;
        const json = JSON.stringify(event);
        controller.enqueue(encoder.encode(format === "sse" ? `data: ${json}\n\n` : `${json}\n`));
      };
      await produce(send, abort.signal);
      if (!abort.signal.aborted) controller.close();
    },
    cancel() {
      abort.abort();
    },
  });
  return new Response(body, {
    headers: { ...headers, "content-type": contentTypes[format], "cache-control": "no-store" },
  });
}
