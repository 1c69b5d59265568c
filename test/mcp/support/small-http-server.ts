// The small server over streamable HTTP. It responds with JSON, or with events for `asSse`.
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { createSmallServer, type SmallServerMode } from "./small-server.ts";

export interface SmallHttpServer {
  readonly url: string;
  readonly calls: readonly { readonly name: string; readonly headers: IncomingHttpHeaders }[];
  mode: SmallServerMode;
  /** The token that requests must have. */
  token: string | undefined;
  /** Where every request is redirected. */
  redirectTo: string | undefined;
  close(): Promise<void>;
}

export async function startSmallHttpServer(mode: SmallServerMode = "good"): Promise<SmallHttpServer> {
  const calls: { name: string; headers: IncomingHttpHeaders }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (small.redirectTo !== undefined)
        return response.writeHead(307, { location: small.redirectTo }).end();
      if (small.token !== undefined && request.headers.authorization !== `Bearer ${small.token}`) {
        const challenge = `Bearer resource_metadata="${new URL("/.well-known/oauth-protected-resource/mcp", small.url).href}"`;
        return response.writeHead(401, { "www-authenticate": challenge }).end();
      }
      if (request.method !== "POST") return response.writeHead(405).end();
      const message = JSON.parse(Buffer.concat(chunks).toString()) as { id?: number };
      if (message.id === undefined) return response.writeHead(202).end();
      let isSent = false;
      const handle = createSmallServer({
        mode: small.mode,
        send(sent) {
          if (isSent || typeof sent === "string") return;
          isSent = true;
          response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(sent));
        },
        die: () => void response.socket?.destroy(),
        onCall: (name) => void calls.push({ name, headers: request.headers }),
      });
      handle(message);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const small: SmallHttpServer = {
    url: `http://127.0.0.1:${port}/mcp`,
    calls,
    mode,
    token: undefined,
    redirectTo: undefined,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return small;
}
