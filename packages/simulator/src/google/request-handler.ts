import type { IncomingMessage, ServerResponse } from "node:http";
import type { ControlRequest } from "./control/control-endpoint.ts";
import { send, type Exchange } from "./exchange.ts";
import { isLoopbackHost } from "./oauth/authorize-request.ts";
import { json } from "./responses.ts";
import type { ServiceResponse } from "./simulated-service.ts";

interface RequestHandlerDeps {
  readonly serveHome: () => ServiceResponse;
  readonly serveControl: (request: ControlRequest) => Promise<ServiceResponse>;
  /** Calls of a provider's API. It sends its own response. */
  readonly exchange: (call: Exchange) => Promise<void>;
}

/** Above Gmail's limit, including the overhead of base64. */
const maxBodyBytes = 50 * 1024 * 1024;

export function createRequestHandler({ serveHome, serveControl, exchange }: RequestHandlerDeps) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!isOurHost(request.headers.host))
      return send(response, json(403, { error: "The simulator responds on loopback only." }));
    const url = URL.parse(request.url ?? "/", "http://127.0.0.1");
    const body = await readBody(request);
    if (!url || !body)
      return send(
        response,
        json(url ? 413 : 400, { error: url ? "Too large." : "Malformed address." }),
      );
    if (url.pathname.startsWith("/_control/")) {
      const controlRequest = {
        verb: request.method ?? "GET",
        name: url.pathname.slice("/_control/".length),
        key: controlKeyOf(request),
        account: url.searchParams.get("account") ?? undefined,
        body,
      };
      return send(response, await serveControl(controlRequest));
    }
    if (url.pathname === "/" && request.method === "GET") return send(response, serveHome());
    await exchange({ request, response, url, body });
  };
}

/** Another site could point its host name at 127.0.0.1. The Host header reveals that. */
function isOurHost(host: string | undefined): boolean {
  return host !== undefined && isLoopbackHost(URL.parse(`http://${host}`)?.hostname ?? "");
}

function controlKeyOf({ headers }: IncomingMessage): string | undefined {
  const key = headers["x-control-key"];
  return typeof key === "string" ? key : undefined;
}

/** Returns undefined when the body is too large. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes <= maxBodyBytes) chunks.push(chunk as Buffer);
  }
  return bytes > maxBodyBytes ? undefined : Buffer.concat(chunks);
}
