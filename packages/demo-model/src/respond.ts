import { omitUndefined } from "@bron/protocol";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { pause, sendEvent, sendEvents, startEvents } from "./event-stream.ts";
import { generate, mergeChunks, modelVersion, type GenerationLimits } from "./generation.ts";
import { googleError, type GoogleError } from "./google-error.ts";
import { callId, newNonce, thoughtSignature } from "./signatures.ts";
import type { ErrorResponse, InvalidResponse, ScriptResponse, MessageResponse } from "./script.ts";

interface RespondOptions {
  readonly isStream: boolean;
  readonly chunkDelayMs: number;
  readonly limits: GenerationLimits;
  /** The function name for an invalid call. */
  readonly someFunction: string;
}

/** Resolves when the response is complete or the client has disconnected. */
export async function respond(
  response: ServerResponse,
  planned: ScriptResponse,
  options: RespondOptions,
): Promise<void> {
  if ("status" in planned) return sendFailure(response, planned);
  if ("hang" in planned) return await hang(response, planned.hang);
  if ("cut" in planned) return await cut(response);
  if ("nonsense" in planned) return await sendNonsense(response, planned.nonsense, options);
  if ("endless" in planned) return await sendForever(response, options);
  return await sendMessage(response, planned, options);
}

export function sendError(
  response: ServerResponse,
  error: GoogleError,
  headers: Readonly<Record<string, string>> = {},
): void {
  sendJson(response, error.code, { error }, headers);
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json; charset=UTF-8", ...headers });
  response.end(JSON.stringify(body));
}

async function sendMessage(
  response: ServerResponse,
  planned: MessageResponse,
  { isStream, limits, chunkDelayMs }: RespondOptions,
): Promise<void> {
  const chunks = generate(planned, limits);
  if (!isStream) {
    return sendJson(response, 200, mergeChunks(chunks));
  }
  startEvents(response);
  if (await sendEvents(response, chunks, chunkDelayMs)) response.end();
}

function sendFailure(response: ServerResponse, { status, retryAfter, body }: ErrorResponse): void {
  const retryInfo =
    retryAfter === undefined
      ? undefined
      : [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: `${retryAfter}s` }];
  const headers: Record<string, string> =
    retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
  const error = googleError(
    status,
    status === 429
      ? "You exceeded your current quota, please check your plan and billing details."
      : "The model is overloaded. Please try again later.",
    retryInfo,
  );
  if (body === undefined) sendError(response, error, headers);
  else sendJson(response, status, body, headers);
}

const firstWords = chunkOf([{ text: "I will look into that " }]);

async function hang(response: ServerResponse, where: "before" | "middle"): Promise<void> {
  if (where === "middle") {
    startEvents(response);
    await sendEvent(response, JSON.stringify(firstWords));
  }
  if (!response.closed) await once(response, "close");
}

async function cut(response: ServerResponse): Promise<void> {
  startEvents(response);
  response.write(`data: ${JSON.stringify(firstWords)}\r\n\r\n`, () => response.destroy());
  if (!response.closed) await once(response, "close");
}

async function sendNonsense(
  response: ServerResponse,
  kind: InvalidResponse["nonsense"],
  { someFunction }: RespondOptions,
): Promise<void> {
  const nonce = newNonce();
  const events = {
    json: '{"candidates": [{"content": ',
    empty: JSON.stringify(chunkOf([], "STOP")),
    badArguments: JSON.stringify(
      chunkOf(
        [
          {
            functionCall: { id: callId(nonce, 0), name: someFunction, args: "six times seven" },
            thoughtSignature: thoughtSignature(nonce, someFunction),
          },
        ],
        "STOP",
      ),
    ),
  };
  startEvents(response);
  await sendEvent(response, events[kind]);
  response.end();
}

async function sendForever(
  response: ServerResponse,
  { chunkDelayMs }: RespondOptions,
): Promise<void> {
  startEvents(response);
  while (await sendEvent(response, JSON.stringify(chunkOf([{ text: "and so on " }]))))
    await pause(response, chunkDelayMs);
}

function chunkOf(parts: readonly unknown[], finishReason?: string): object {
  return {
    candidates: [
      { content: { role: "model", parts }, ...omitUndefined({ finishReason }), index: 0 },
    ],
    modelVersion,
  };
}
