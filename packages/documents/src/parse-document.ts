import { formatBytes, omitUndefined } from "@bron/protocol";
import { BronError } from "@bron/core";
import type { ParseRequest } from "./frame.ts";
import { chooseIsolation, type Isolation } from "./isolation/isolation.ts";
import { defaultLimits, type ParseLimits } from "./limits.ts";
import { maxSilentMs } from "./parser/max-silent-ms.ts";
import type { ParsedDocument } from "./parsed-document.ts";
import { createSlots } from "./supervisor/slots.ts";
import { superviseParser, type ParserEnd, type Progress } from "./supervisor/supervise-parser.ts";

interface ParseInput {
  readonly bytes: Uint8Array;
  readonly name?: string | undefined;
  readonly mediaType?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly limits?: Partial<ParseLimits> | undefined;
  /** Overrides the strongest isolation that works here. */
  readonly isolation?: Isolation | undefined;
}

/** Two at once, because each may take half a gigabyte. */
const inSlot = createSlots(2);

/**
 * Reads an untrusted file in a process that is killed at the limits. Throws invalid_input,
 * too_large, tool_timeout or tool_failed. `details.partial` then holds the ParsedDocument so far,
 * if there is one. If aborted, throws the signal's reason.
 */
export async function parseDocument(input: ParseInput): Promise<ParsedDocument> {
  const limits: ParseLimits = { ...defaultLimits, ...input.limits };
  const label = input.name ?? "The document";
  if (input.bytes.length === 0) throw new BronError("invalid_input", `${label} is empty.`);
  if (input.bytes.length > limits.maxBytes)
    throw new BronError(
      "too_large",
      `${label} is too large. The limit is ${formatBytes(limits.maxBytes)}.`,
    );
  const { bytes, name, mediaType, signal, onProgress } = input;
  const startedAt = performance.now();
  // Time in the queue counts too.
  const requestNow = (): ParseRequest => ({
    limits: { ...limits, hardMs: Math.max(1, limits.hardMs - (performance.now() - startedAt)) },
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
    () => superviseParser({ ...run, request: requestNow() }),
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
    return new BronError(end.code, `Couldn't read ${label}. ${end.message}`, options);
  if (end.state !== "stopped")
    return new BronError("tool_failed", `Couldn't read ${label}: the parser crashed.`, options);
  if (end.why === "memory")
    return new BronError(
      "too_large",
      `${label} needs more than ${Math.round(limits.maxMemoryBytes / 1024 / 1024)} MB of memory to open, so Bron stopped reading it.`,
      options,
    );
  const why =
    end.why === "stall"
      ? `no progress for ${maxSilentMs(limits, partial !== undefined) / 1000} s`
      : `not finished after ${limits.hardMs / 1000} s`;
  // Not retryable, because the same file would take as long again.
  return new BronError(
    "tool_timeout",
    `Reading ${label} took too long: ${why}. Bron stopped reading it.`,
    { ...options, retryable: false },
  );
}
