import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface WireRequest {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  // `any`, because tests read the wire format of a provider.
  // oxlint-disable-next-line no-explicit-any
  readonly body: any;
}

interface WireResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent unchanged. */
  readonly body: string;
}

interface WireServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly WireRequest[];
}

/** A loopback server that sends the responses in order, and repeats the last one. */
export async function startWireServer(...responses: readonly WireResponse[]): Promise<WireServer> {
  const requests: WireRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const current = responses[Math.min(requests.length, responses.length - 1)];
      requests.push({
        url: request.url ?? "",
        headers: request.headers,
        body: JSON.parse(Buffer.concat(chunks).toString()),
      });
      response.writeHead(current?.status ?? 200, {
        "content-type": "text/event-stream",
        ...current?.headers,
      });
      response.end(current?.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Server-sent events with only data, as Gemini and OpenAI send them. */
export function dataEvents(...events: readonly unknown[]): string {
  return events
    .map((event) => `data: ${typeof event === "string" ? event : JSON.stringify(event)}\r\n\r\n`)
    .join("");
}

/** Server-sent events with a type, as Anthropic sends them. */
export function typedEvents(...events: readonly { readonly type: string }[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}
