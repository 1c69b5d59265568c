// Node's own HTTP server with the same requests, responses and streams, and no other work.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { serveCalls } from "./remote-calls.ts";

export interface BareHttpCalls {
  address(): Promise<{ readonly url: string }>;
  /** Returns this body for every request from now on. */
  respondWith(body: string): Promise<void>;
  /** Writes this frame to every open stream the given number of times, then ends the streams. */
  writeFrames(order: { readonly frame: string; readonly times: number }): Promise<void>;
  memory(): Promise<number>;
  close(): Promise<void>;
}

const streams = new Set<ServerResponse>();
let responseBody = "{}";
const server = createServer((request, response) => {
  if (request.url?.endsWith("/stream")) {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("id: 1\n\n");
    streams.add(response);
    return;
  }
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    if (chunks.length > 0) JSON.parse(Buffer.concat(chunks).toString());
    response
      .writeHead(request.method === "POST" ? 201 : 200, { "content-type": "application/json" })
      .end(responseBody);
  });
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

const calls: BareHttpCalls = {
  address: () =>
    Promise.resolve({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }),
  respondWith: (body) => Promise.resolve(void (responseBody = body)),
  async writeFrames({ frame, times }) {
    for (let seq = 2; seq <= times + 1; seq++) {
      const bytes = Buffer.from(`id: ${seq}\n${frame}`);
      const full = [...streams].filter((stream) => !stream.write(bytes));
      if (full.length > 0)
        await Promise.all(
          full.map((stream) => new Promise((resolve) => stream.once("drain", resolve))),
        );
    }
    for (const stream of streams) stream.end();
    streams.clear();
  },
  memory: () => Promise.resolve(settledMemory()),
  async close() {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  },
};

function settledMemory(): number {
  globalThis.gc?.();
  return process.memoryUsage().rss;
}

serveCalls(calls);
