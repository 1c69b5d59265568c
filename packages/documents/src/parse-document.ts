import { omitUndefined, type FileFlaw } from "@bron/protocol";
import { actionFailure, type BronError } from "@bron/core";
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
  /** Reads only what a preview shows. */
  readonly isPreview?: boolean | undefined;
  /** Overrides the strongest isolation that works here. */
  readonly isolation?: Isolation | undefined;
}

/** Two at once, because each may take half a gigabyte. */
const inSlot = createSlots(2);
/** A person waits for a preview, so it does not queue behind the documents of tasks. */
const inPreviewSlot = createSlots(1);

/**
 * Reads an untrusted file in a process that is killed at the limits. Throws invalid_input,
 * too_large, tool_timeout or tool_failed. `details.partial` then holds the ParsedDocument so far,
 * if there is one. If aborted, throws the signal's reason.
 */
export async function parseDocument(input: ParseInput): Promise<ParsedDocument> {
  const limits: ParseLimits = { ...defaultLimits, ...input.limits };
  const { bytes, name, mediaType, signal, onProgress } = input;
  const named = omitUndefined({ document: name });
  if (bytes.length === 0)
    throw actionFailure("invalid_input", { code: "document_empty", ...named });
  if (bytes.length > limits.maxBytes)
    throw actionFailure("too_large", {
      code: "document_too_large",
      limitBytes: limits.maxBytes,
      ...named,
    });
  const startedAt = performance.now();
  // Time in the queue counts too.
  const requestNow = (): ParseRequest => ({
    limits: { ...limits, hardMs: Math.max(1, limits.hardMs - (performance.now() - startedAt)) },
    ...omitUndefined({ name, mediaType, isPreview: input.isPreview }),
  });
  const { command } = input.isolation ?? (await chooseIsolation());
  const run = {
    command,
    bytes,
    ...omitUndefined({ signal, onProgress }),
  };
  const { end, document } = await (input.isPreview ? inPreviewSlot : inSlot)(
    () => superviseParser({ ...run, request: requestNow() }),
    signal,
  );
  if (end.state === "done" && document) return document;
  if (end.state === "aborted") throw signal?.reason;
  throw errorFor(end, { document: name }, limits, document);
}

function errorFor(
  end: ParserEnd,
  { document }: Named,
  limits: ParseLimits,
  partial: ParsedDocument | undefined,
): BronError {
  const details = partial ? { partial } : {};
  const named = omitUndefined({ document });
  if (end.state === "failed") {
    const { flaw } = end;
    const why = { code: "document_unreadable", flaw, ...named } as const;
    return actionFailure(codeOf(flaw), why, { details });
  }
  if (end.state !== "stopped")
    return actionFailure("tool_failed", { code: "parser_crashed", ...named }, { details });
  if (end.why === "memory") {
    const { maxMemoryBytes: limitBytes } = limits;
    const why = { code: "document_needs_memory", limitBytes, ...named } as const;
    return actionFailure("too_large", why, { details });
  }
  const [code, ms] =
    end.why === "stall"
      ? (["document_stalled", maxSilentMs(limits, partial !== undefined)] as const)
      : (["document_slow", limits.hardMs] as const);
  // Not retryable, because the same file would take as long again.
  return actionFailure(
    "tool_timeout",
    { code, seconds: ms / 1000, ...named },
    { details, retryable: false },
  );
}

interface Named {
  readonly document: string | undefined;
}

function codeOf({ code }: FileFlaw): "invalid_input" | "too_large" | "tool_failed" {
  switch (code) {
    case "parser_failed":
      return "tool_failed";
    case "archive_crowded":
    case "archive_too_large":
    case "image_too_large":
      return "too_large";
    default:
      return "invalid_input";
  }
}
