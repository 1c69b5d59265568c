// The small server over streamable HTTP. It responds with JSON, or with events for `asSse`.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
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
  /** In place of its usual result. */
  reply: string | undefined;
  /** In place of the usual description of its tools. */
  description: string | undefined;
  /** How often each endpoint of its sign-in was called. */
  readonly signIns: Record<string, number>;
  close(): Promise<void>;
}

export async function startSmallHttpServer(
  mode: SmallServerMode = "good",
): Promise<SmallHttpServer> {
  const calls: { name: string; headers: IncomingHttpHeaders }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (small.redirectTo !== undefined)
        return response.writeHead(307, { location: small.redirectTo }).end();
      const isMcp = (request.url ?? "").startsWith("/mcp");
      if (
        isMcp &&
        small.token !== undefined &&
        request.headers.authorization !== `Bearer ${small.token}`
      ) {
        const challenge = `Bearer resource_metadata="${new URL("/.well-known/oauth-protected-resource/mcp", small.url).href}"`;
        return response.writeHead(401, { "www-authenticate": challenge }).end();
      }
      if (signIn(request.url ?? "", Buffer.concat(chunks).toString(), response)) return;
      if (request.method !== "POST") return response.writeHead(405).end();
      const message = JSON.parse(Buffer.concat(chunks).toString()) as { id?: number };
      if (message.id === undefined) return response.writeHead(202).end();
      let isSent = false;
      const handle = createSmallServer({
        mode: small.mode,
        reply: small.reply,
        description: small.description,
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
  /** An authorization server, as MCP describes it. It gives the token that requests must have. */
  function signIn(path: string, body: string, response: ServerResponse): boolean {
    const { origin } = new URL(small.url);
    const send = (value: object, status = 200) =>
      void response
        .writeHead(status, { "content-type": "application/json" })
        .end(JSON.stringify(value));
    const [route = ""] = path.split("?");
    if (route === "/mcp") return false;
    small.signIns[route] = (small.signIns[route] ?? 0) + 1;
    if (route.startsWith("/.well-known/oauth-protected-resource"))
      send({ resource: small.url, authorization_servers: [origin] });
    else if (route.startsWith("/.well-known/oauth-authorization-server"))
      send({
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ["code"],
        code_challenge_methods_supported: ["S256"],
      });
    else if (route === "/register")
      send({ ...(JSON.parse(body) as object), client_id: "client-1" }, 201);
    else if (route === "/token") {
      const form = new URLSearchParams(body);
      const isCode =
        form.get("code") === "code-1" && (form.get("code_verifier") ?? "").length >= 43;
      const isRefresh = form.get("refresh_token") === "refresh-1";
      if (!isCode && !isRefresh) send({ error: "invalid_grant" }, 400);
      else
        send({
          access_token: small.token,
          token_type: "Bearer",
          expires_in: 3_600,
          refresh_token: "refresh-1",
        });
    } else response.writeHead(404).end();
    return true;
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const small: SmallHttpServer = {
    url: `http://127.0.0.1:${port}/mcp`,
    calls,
    mode,
    token: undefined,
    redirectTo: undefined,
    reply: undefined,
    description: undefined,
    signIns: {},
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return small;
}
