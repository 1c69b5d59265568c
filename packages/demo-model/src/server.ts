import { omitUndefined } from "@bron/protocol";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { decide } from "./decide.ts";
import { googleError, invalidArgument, type GoogleError } from "./google-error.ts";
import { followEveryInstruction, followUserOnly } from "./instructions.ts";
import { respond, sendError, sendJson, type Ending } from "./respond.ts";
import { route } from "./route.ts";
import type { Script } from "./script.ts";
import { validateRequest } from "./validate-request.ts";

export interface DemoModelOptions {
  /** Defaults to 0, which picks a free port. */
  readonly port?: number;
  /** Milliseconds between the chunks of a stream. */
  readonly chunkDelayMs?: number;
  readonly now?: () => Date;
  readonly script?: Script;
  /**
   * Follows every instruction in tool results, like a compromised model. Used to test the guards
   * that must hold even then.
   */
  readonly obedient?: boolean;
  /**
   * How many recent requests to keep with their bodies. Defaults to 1,000. Use 0 for a long-running
   * server.
   */
  readonly keepRequests?: number;
}

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  /** The parsed body, or its text if it is not JSON. */
  readonly body: unknown;
  readonly time: Date;
  /** Updated until the response has ended. */
  readonly outcome: RequestOutcome;
}

export interface RequestOutcome {
  /** Absent when no response was started. */
  readonly status?: number;
  readonly ending: Ending | "open";
  /** Why the request was refused. */
  readonly refusal?: string;
}

export interface DemoModelServer {
  /** The base URL for a Gemini client: http://127.0.0.1:PORT/v1beta */
  readonly url: string;
  /** Oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** Also ends responses in progress. */
  close(): Promise<void>;
}

/** Rejects when the port is not available. */
export async function startDemoModel(options: DemoModelOptions = {}): Promise<DemoModelServer> {
  const requests: RecordedRequest[] = [];
  const keep = options.keepRequests ?? 1_000;
  const server = createServer((request, response) => {
    const exchange: Exchange = { request, response, outcome: { ending: "open" } };
    void handle(exchange, options, (entry) => {
      requests.push(entry);
      if (requests.length > keep) requests.shift();
    });
  });
  await listen(server, options.port ?? 0);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1beta`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject);
      resolve();
    });
  });
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly outcome: { -readonly [Field in keyof RequestOutcome]: RequestOutcome[Field] };
}

/** Never rejects. An error in this server or in a script becomes a 500 with its message. */
async function handle(
  exchange: Exchange,
  options: DemoModelOptions,
  record: (entry: RecordedRequest) => void,
): Promise<void> {
  const { request, response, outcome } = exchange;
  try {
    const text = await readBody(request);
    const body = parseBody(text);
    record({
      method: request.method ?? "",
      path: request.url ?? "",
      body,
      time: options.now?.() ?? new Date(),
      outcome,
    });
    await serveModelRequest(exchange, { body, length: text.length }, options);
  } catch (error) {
    outcome.refusal = error instanceof Error ? error.message : String(error);
    if (response.headersSent) response.destroy();
    else sendError(response, googleError(500, `The demo model failed: ${outcome.refusal}`));
  }
  if (outcome.ending === "open") outcome.ending = "complete";
  if (response.headersSent) outcome.status = response.statusCode;
}

async function serveModelRequest(
  exchange: Exchange,
  { body, length }: { readonly body: unknown; readonly length: number },
  options: DemoModelOptions,
): Promise<void> {
  const { request, response, outcome } = exchange;
  const found = route(request, length);
  if ("error" in found) return refuse(exchange, found.error);
  if ("models" in found) return sendJson(response, 200, found);

  if (typeof body === "string")
    return refuse(exchange, invalidArgument("Invalid JSON payload received. Parse error."));
  const checked = validateRequest(body);
  if ("error" in checked) return refuse(exchange, checked.error);
  const decision = await decide(found.model, checked.request, {
    script: options.script,
    follow: options.obedient === true ? followEveryInstruction : followUserOnly,
  });
  if ("error" in decision) return refuse(exchange, decision.error);

  const { maxOutputTokens, thinkingConfig } = checked.request.generationConfig ?? {};
  outcome.ending = await respond(response, decision.response, {
    isStream: found.isStream,
    chunkDelayMs: options.chunkDelayMs ?? 0,
    someFunction: decision.declarations[0]?.name ?? "unnamed",
    limits: {
      promptBytes: length,
      includeThoughts: thinkingConfig?.includeThoughts ?? true,
      ...omitUndefined({ maxOutputTokens }),
    },
  });
}

function refuse({ response, outcome }: Exchange, error: GoogleError): void {
  outcome.refusal = error.message;
  sendError(response, error);
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
