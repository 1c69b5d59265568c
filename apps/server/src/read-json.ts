import { BronError } from "@bron/core";
import { formatBytes } from "@bron/protocol";
import type { IncomingMessage } from "node:http";
import { RequestRefused } from "./request-refused.ts";

export interface BodyLimits {
  readonly maxBodyBytes: number;
  /** Time from the headers to the end of the body. */
  readonly bodyTimeoutMs: number;
  /** The same for an upload. Each of its chunks has `bodyTimeoutMs`. */
  readonly uploadTimeoutMs: number;
}

const maxDepth = 100;

/** Requires JSON, because a form on another site cannot send this type without a CORS preflight. */
export function refuseOtherThanJson(incoming: IncomingMessage): void {
  const { "content-type": type = "", "content-encoding": encoding = "identity" } = incoming.headers;
  if (!/^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i.test(type))
    throw new RequestRefused("wrong_content_type", "The request body must be JSON in UTF-8.", {
      "accept-post": "application/json",
    });
  if (encoding !== "identity")
    throw new RequestRefused("wrong_content_type", "The request body must not be compressed.", {
      "accept-encoding": "identity",
    });
}

/** An empty body counts as `{}`. */
export async function readJson(incoming: IncomingMessage, limits: BodyLimits): Promise<unknown> {
  const bytes = await readBody(incoming, limits);
  if (bytes.length === 0) return {};
  const text = decode(bytes);
  if (depthOf(text) > maxDepth)
    throw new BronError(
      "invalid_input",
      `The request body is nested deeper than ${maxDepth} levels.`,
    );
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new BronError("invalid_input", "The request body is not valid JSON.", { cause: error });
  }
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new BronError("invalid_input", "The request body is not valid UTF-8.", { cause: error });
  }
}

/** Counts the bytes as they arrive, and does not trust the content-length header. */
function readBody(
  incoming: IncomingMessage,
  { maxBodyBytes, bodyTimeoutMs }: BodyLimits,
): Promise<Buffer> {
  const tooLarge = () =>
    new BronError("too_large", `The request body is larger than ${formatBytes(maxBodyBytes)}.`, {
      details: { maxBytes: maxBodyBytes },
    });
  if (Number(incoming.headers["content-length"] ?? 0) > maxBodyBytes) throw tooLarge();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const done = (settle: () => void) => {
      clearTimeout(timer);
      incoming.off("data", take).off("end", end).off("close", cut).off("error", cut);
      // Ignores later errors of the request, which would otherwise be uncaught.
      incoming.on("error", () => undefined);
      settle();
    };
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBodyBytes) return done(() => reject(tooLarge()));
      chunks.push(chunk);
    };
    const end = () => done(() => resolve(Buffer.concat(chunks)));
    const cut = () =>
      done(() => reject(new BronError("invalid_input", "The request body was cut off.")));
    const timer = setTimeout(
      () =>
        done(() =>
          reject(
            new RequestRefused(
              "body_timeout",
              `The request body took longer than ${bodyTimeoutMs / 1_000}s.`,
            ),
          ),
        ),
      bodyTimeoutMs,
    );
    incoming.on("data", take).on("end", end).on("close", cut).on("error", cut);
  });
}

/**
 * Counts brackets outside strings. JSON that is nested too deeply would overflow the stack when it
 * is serialized again.
 */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (isInString && character === "\\") at++;
    else if (character === '"') isInString = !isInString;
    else if (isInString) continue;
    else if (character === "[" || character === "{") deepest = Math.max(deepest, ++depth);
    else if (character === "]" || character === "}") depth--;
  }
  return deepest;
}
