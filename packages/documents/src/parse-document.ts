import { omitUndefined } from "@bron/protocol";
import { BronError } from "@bron/core";
import type { ParseOrder } from "./frame.ts";
import { chooseIsolation, type Isolation } from "./isolation/isolation.ts";
import { defaultLimits, type ParseLimits } from "./limits.ts";
import { mostSilentMs } from "./parser/most-silent-ms.ts";
import type { ParsedDocument } from "./parsed-document.ts";
import { createSlots } from "./supervisor/slots.ts";
import { superviseParser, type ParserEnd, type Progress } from "./supervisor/supervise-parser.ts";

export interface ParseInput {
  readonly bytes: Uint8Array;
  readonly name?: string | undefined;
  readonly mediaType?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly limits?: Partial<ParseLimits> | undefined;
  /** Instead of the strongest that works here. */
  readonly isolation?: Isolation | undefined;
}

/** Each may take half a gigabyte. */
const inSlot = createSlots(2);

/**
 * Reads a file that nobody trusts, in a process that is killed at the limits. Throws invalid_input, too_large, tool_timeout or
 * tool_failed; `details.partial` then holds the ParsedDocument so far, if there is one. Aborted, it throws the signal's reason.
 */
export async function parseDocument(input: ParseInput): Promise<ParsedDocument> {
  const limits: ParseLimits = { ...defaultLimits, ...input.limits };
  const label = input.name ?? "The document";
  if (input.bytes.length === 0) throw new BronError("invalid_input", `${label} is empty.`);
  if (input.bytes.length > limits.maxBytes)
    throw new BronError(
      "too_large",
      `${label} has ${input.bytes.length} bytes; ${limits.maxBytes} are the most.`,
    );
  const { bytes, name, mediaType, signal, onProgress } = input;
  const begunAt = performance.now();
  // Waiting in line counts too.
  const orderNow = (): ParseOrder => ({
    limits: { ...limits, hardMs: Math.max(1, limits.hardMs - (performance.now() - begunAt)) },
    ...omitUndefined({ name, mediaType }),
  });
  const { command } = input.isolation ?? (await chooseIsolation());
  const run = {
    command,
    bytes,
    ...(signal ? { signal } : {}),
    ...(onProgress ? { onProgress } : {}),
  };
  const { end, document } = await inSlot(
    () => superviseParser({ ...run, order: orderNow() }),
    signal,
  );
  if (end.state === "done" && document) return document;
  if (end.state === "aborted") throw signal?.reason;
  throw errorFor(end, label, limits, document);
}

function errorFor(
  end: ParserEnd,
  label: string,
  limits: ParseLimits,
  partial: ParsedDocument | undefined,
): BronError {
  const options = partial ? { details: { partial } } : {};
  if (end.state === "failed")
    return new BronError(end.code, `${label} could not be read. ${end.message}`, options);
  if (end.state !== "stopped")
    return new BronError(
      "tool_failed",
      `${label} could not be read: the parser ended without a word.`,
      options,
    );
  if (end.why === "memory")
    return new BronError(
      "too_large",
      `${label} needs more than ${Math.round(limits.maxMemoryBytes / 1024 / 1024)} MB to be read, which an honest file does not. It was stopped.`,
      options,
    );
  const why =
    end.why === "stall"
      ? `no progress for ${mostSilentMs(limits, partial !== undefined) / 1000} s`
      : `not done after ${limits.hardMs / 1000} s`;
  // The same file would take as long again.
  return new BronError(
    "tool_timeout",
    `${label} could not be read in time: ${why}. It was stopped.`,
    { ...options, retryable: false },
  );
}
