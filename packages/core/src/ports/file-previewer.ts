import type { FilePreview } from "@bron/protocol";

/**
 * Makes the preview of an untrusted file. It limits time, memory and output itself, and returns a
 * preview of kind "none" for a file that it cannot read.
 */
export type FilePreviewer = (file: {
  readonly bytes: Uint8Array;
  readonly name?: string | undefined;
  readonly mediaType?: string | undefined;
}) => Promise<FilePreview>;
