import { actionFailure, type ToolContext } from "@bron/core";
import { omitUndefined } from "@bron/protocol";
import { defaultLimits, type ParseLimits } from "../limits.ts";
import { parseDocument } from "../parse-document.ts";
import type { ParsedDocument } from "../parsed-document.ts";

export interface Timing {
  /** After this time the user sees a progress message. */
  readonly softMs: number;
  readonly limits: Partial<ParseLimits>;
}

/** Below the tool's timeout of 150 s, so that partial results can still be saved and shown. */
export const defaultTiming: Timing = { softMs: 30_000, limits: { hardMs: 145_000 } };
export const toolTimeoutMs = 150_000;

export interface DocumentReference {
  readonly digest: string;
  readonly name?: string | undefined;
  readonly mediaType?: string | undefined;
}

/** Reads an artifact of the owner. Throws not_found or too_large. */
export async function readBytes(
  { digest, name }: DocumentReference,
  context: ToolContext,
): Promise<Uint8Array> {
  const bytes = await context.readArtifact(digest);
  if (!bytes) throw actionFailure("not_found", { code: "document_missing", digest });
  const { maxBytes: limitBytes } = defaultLimits;
  if (bytes.length > limitBytes)
    throw actionFailure("too_large", {
      code: "document_too_large",
      limitBytes,
      ...omitUndefined({ document: name }),
    });
  return bytes;
}

export async function loadDocument(
  bytes: Uint8Array,
  { name, mediaType }: DocumentReference,
  context: ToolContext,
  { softMs, limits }: Timing,
): Promise<ParsedDocument> {
  let progress = "";
  const progressTimer = setTimeout(
    () => context.log(`Still extracting… ${name ?? "the document"}${progress}`),
    softMs,
  );
  try {
    return await parseDocument({
      bytes,
      name,
      mediaType,
      limits,
      signal: context.signal,
      onProgress({ done, total }) {
        progress = total === undefined ? "" : ` (${done} of ${total})`;
        if (progress !== "") context.reportProgress(`Reading ${name ?? "the document"}${progress}`);
      },
    });
  } finally {
    clearTimeout(progressTimer);
  }
}
