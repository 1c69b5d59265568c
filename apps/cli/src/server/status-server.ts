import { BronError } from "@bron/core";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { codeOf } from "../home-folder.ts";
import { askWho, serverIdHeader } from "./server-alive.ts";

export interface StatusServerOptions {
  readonly host: string;
  readonly port: number;
  readonly serverId: string;
  /** Resolves once the database has answered. */
  readonly checkReady: () => Promise<void>;
  readonly renderPage: () => Promise<string>;
}

export interface StatusServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Shows and answers, changes nothing. Throws port_taken. */
export async function startStatusServer(options: StatusServerOptions): Promise<StatusServer> {
  const { host, port } = options;
  const server = createServer((request, response) => {
    void answer(request, response, options, (server.address() as AddressInfo).port);
  });
  const failure = await new Promise<Error | undefined>((resolve) => {
    server.once("error", resolve);
    server.listen({ host, port }, () => resolve(undefined));
  });
  if (failure) throw await listenError(failure, host, port);
  return {
    url: addressOf(host, (server.address() as AddressInfo).port),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function addressOf(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

async function listenError(error: Error, host: string, port: number): Promise<BronError> {
  const code = codeOf(error);
  const options = { details: { host, port }, cause: error };
  if (code === "EACCES") return new BronError("port_taken", `PORT ${port} on ${host} may not be used by this user.`, options);
  if (code !== "EADDRINUSE") return new BronError("config_invalid", `HOST ${host} cannot be listened on: ${error.message}`, options);
  const who = (await askWho(addressOf(host, port))) === undefined ? "another program" : "a Bron with another home";
  return new BronError("port_taken", `PORT ${port} on ${host} is taken by ${who}.`, options);
}

/** Never rejects. */
async function answer(request: IncomingMessage, response: ServerResponse, options: StatusServerOptions, port: number): Promise<void> {
  response.setHeader("cache-control", "no-store");
  response.setHeader("x-content-type-options", "nosniff");
  if (!isLoopbackName(request.headers.host, port)) return problem(response, 421, "wrong_host", "Use the address that Bron printed: this name is not one of this machine's own.");
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.setHeader("allow", "GET, HEAD");
    return problem(response, 405, "method_not_allowed", "Here things can only be looked at.");
  }
  const path = (request.url ?? "/").split("?", 1)[0];
  if (path === "/healthz") {
    response.setHeader(serverIdHeader, options.serverId);
    return send(response, 200, "application/json", JSON.stringify({ ok: true }));
  }
  if (path === "/readyz") return await answerReady(response, options);
  if (path === "/") return await answerPage(response, options);
  return problem(response, 404, "not_found", "There is nothing under this path.");
}

async function answerReady(response: ServerResponse, options: StatusServerOptions): Promise<void> {
  try {
    await options.checkReady();
    send(response, 200, "application/json", JSON.stringify({ ok: true, database: "ready" }));
  } catch {
    problem(response, 503, "database_unreachable", "The database does not answer.");
  }
}

async function answerPage(response: ServerResponse, options: StatusServerOptions): Promise<void> {
  try {
    const page = await options.renderPage();
    response.setHeader("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'");
    response.setHeader("referrer-policy", "no-referrer");
    send(response, 200, "text/html; charset=utf-8", page);
  } catch {
    problem(response, 500, "internal", "The page could not be made.");
  }
}

/** Against DNS rebinding: a page elsewhere can point its own name at this machine, but not name it as we do. */
function isLoopbackName(host: string | undefined, port: number): boolean {
  const names = ["localhost", "127.0.0.1", "[::1]"];
  const match = /^(?<name>\[[0-9a-f:]+\]|[^:]+)(?::(?<port>\d+))?$/i.exec(host ?? "");
  const name = match?.groups?.["name"]?.toLowerCase() ?? "";
  return (names.includes(name) || /^127(?:\.\d{1,3}){3}$/.test(name)) && Number(match?.groups?.["port"] ?? 80) === port;
}

function problem(response: ServerResponse, status: number, code: string, detail: string): void {
  send(response, status, "application/problem+json", JSON.stringify({ type: "about:blank", title: code, status, detail, code }));
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(body) });
  response.end(response.req.method === "HEAD" ? undefined : body);
}
