import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import type { ReadableStream as WebStream } from "node:stream/web";
import type { Shop } from "./create-shop.ts";

export interface RunningShop {
  readonly url: string;
  close(): Promise<void>;
}

const maxBody = 2_000_000;

/** Serves a shop on loopback. Port 0 takes a free one. */
export async function listen({ handle }: Pick<Shop, "handle">, port = 0): Promise<RunningShop> {
  const server = createServer((incoming, outgoing) => {
    const respond = async () => {
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of incoming) {
        chunks.push(chunk as Buffer);
        size += (chunk as Buffer).length;
        if (size > maxBody) return void outgoing.writeHead(413).end();
      }
      const controller = new AbortController();
      outgoing.on("close", () => controller.abort());
      const hasBody = incoming.method !== "GET" && incoming.method !== "HEAD";
      const request = new Request(new URL(incoming.url ?? "/", url), {
        method: incoming.method ?? "GET",
        headers: headersOf(incoming.headers),
        body: hasBody ? Buffer.concat(chunks) : null,
        signal: controller.signal,
      });
      const response = await handle(request);
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      if (response.body) Readable.fromWeb(response.body as WebStream).pipe(outgoing);
      else outgoing.end();
    };
    respond().catch(() => {
      if (!outgoing.headersSent) outgoing.writeHead(500);
      outgoing.end();
    });
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function headersOf(headers: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const result = new Headers();
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) result.set(name, [value].flat().join(", "));
  return result;
}
