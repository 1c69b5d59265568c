import { omitUndefined } from "@bron/protocol";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { decide, type DecideOptions } from "./decide.ts";
import { googleError, invalidArgument } from "./google-error.ts";
import { respond, sendError } from "./respond.ts";
import { route } from "./route.ts";
import type { Script } from "./script.ts";
import { validateRequest } from "./validate-request.ts";

export interface DemoModelOptions {
  /** Milliseconds between the chunks of a stream. */
  readonly chunkDelayMs?: number;
  readonly script?: Script;
  /** See `DecideOptions`. */
  readonly reader?: DecideOptions["reader"];
}

export interface DemoModelServer {
  /** The base URL for a Gemini client: http://127.0.0.1:PORT/v1beta */
  readonly url: string;
  /** Also ends responses in progress. */
  close(): Promise<void>;
}

/** Listens on a free port. */
export async function startDemoModel(options: DemoModelOptions = {}): Promise<DemoModelServer> {
  const server = createServer((request, response) => void handle(request, response, options));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1beta`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Never rejects. An error in this server or in a script becomes a 500 with its message. */
async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  options: DemoModelOptions,
): Promise<void> {
  try {
    await serveModelRequest(request, response, options);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (response.headersSent) response.destroy();
    else sendError(response, googleError(500, `The demo model failed: ${message}`));
  }
}

async function serveModelRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { script, reader, chunkDelayMs = 0 }: DemoModelOptions,
): Promise<void> {
  const text = await readBody(request);
  const found = route(request, text.length);
  if ("error" in found) return sendError(response, found.error);

  const body = parseBody(text);
  if (typeof body === "string")
    return sendError(response, invalidArgument("Invalid JSON payload received. Parse error."));
  const checked = validateRequest(body);
  if ("error" in checked) return sendError(response, checked.error);
  const decision = await decide(found.model, checked.request, { script, reader });
  if ("error" in decision) return sendError(response, decision.error);

  const { maxOutputTokens, thinkingConfig } = checked.request.generationConfig ?? {};
  await respond(response, decision.response, {
    isStream: found.isStream,
    chunkDelayMs,
    someFunction: decision.declarations[0]?.name ?? "unnamed",
    limits: {
      promptBytes: text.length,
      includeThoughts: thinkingConfig?.includeThoughts ?? true,
      ...omitUndefined({ maxOutputTokens }),
    },
  });
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function parseBody(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
