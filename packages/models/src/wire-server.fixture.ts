import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface WireRequest {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  // Any: tests look into a provider's wire format.
  // oxlint-disable-next-line no-explicit-any
  readonly body: any;
}

export interface WireAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as they are. */
  readonly body: string;
}

export interface WireServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly WireRequest[];
}

/** A loopback server that gives the answers in order, then the last one again. */
export async function startWireServer(...answers: readonly WireAnswer[]): Promise<WireServer> {
  const requests: WireRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const answer = answers[Math.min(requests.length, answers.length - 1)];
      requests.push({
        url: request.url ?? "",
        headers: request.headers,
        body: JSON.parse(Buffer.concat(chunks).toString()),
      });
      response.writeHead(answer?.status ?? 200, {
        "content-type": "text/event-stream",
        ...answer?.headers,
      });
      response.end(answer?.body);
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

/** Server-sent events named by their type, as Anthropic sends them. */
export function typedEvents(...events: readonly { readonly type: string }[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}
