import { BronError, type ToolContext } from "@bron/core";
import { defaultLimits, type ParseLimits } from "../limits.ts";
import { parseDocument } from "../parse-document.ts";
import type { ParsedDocument } from "../parsed-document.ts";

export interface Timing {
  /** After this a person is told that it goes on. */
  readonly softMs: number;
  readonly limits: Partial<ParseLimits>;
}

/** Under the tool's own limit of 150 s, so that what was read so far can still be kept and shown. */
export const defaultTiming: Timing = { softMs: 30_000, limits: { hardMs: 145_000 } };
export const toolTimeoutMs = 150_000;

export interface DocumentReference {
  readonly digest: string;
  readonly name?: string | undefined;
  readonly mediaType?: string | undefined;
}

/** The bytes of an artifact that the owner has. Throws not_found or too_large. */
export async function readBytes(
  { digest, name }: DocumentReference,
  context: ToolContext,
): Promise<Uint8Array> {
  const bytes = await context.readArtifact(digest);
  if (!bytes)
    throw new BronError(
      "not_found",
      `There is no artifact ${digest}. Use a digest that a tool of this run gave you.`,
    );
  if (bytes.length > defaultLimits.maxBytes)
    throw new BronError(
      "too_large",
      `${name ?? "The document"} has ${bytes.length} bytes; ${defaultLimits.maxBytes} are the most.`,
    );
  return bytes;
}

export async function loadDocument(
  bytes: Uint8Array,
  { name, mediaType }: DocumentReference,
  context: ToolContext,
  { softMs, limits }: Timing,
): Promise<ParsedDocument> {
  let reached = "";
  const still = setTimeout(
    () => context.log(`Still extracting… ${name ?? "the document"}${reached}`),
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
        reached = total === undefined ? "" : ` (${done} of ${total})`;
      },
    });
  } finally {
    clearTimeout(still);
  }
}
