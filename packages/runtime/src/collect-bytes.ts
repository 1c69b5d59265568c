import { requestError } from "@bron/core";
import { createHash } from "node:crypto";

interface Expected {
  readonly sizeBytes: number;
  /**
   * Throws if the content is not valid. Called once enough bytes have arrived to detect the type,
   * and at the end.
   */
  readonly check: (bytes: Uint8Array, isComplete: boolean) => void;
}

/** Enough to detect most file types. */
const startBytes = 8_192;

/**
 * Reads exactly `sizeBytes` bytes and computes their digest. Throws too_large, or invalid_input if
 * the stream ends too early.
 */
export async function collectBytes(
  chunks: AsyncIterable<Uint8Array>,
  { sizeBytes, check }: Expected,
): Promise<{ bytes: Uint8Array; digest: string }> {
  // The system commits this memory only as it is written, and all of it is written in the end.
  const bytes = Buffer.allocUnsafeSlow(sizeBytes);
  const hash = createHash("sha256");
  let length = 0;
  let isChecked = false;
  for await (const chunk of chunks) {
    if (length + chunk.length > sizeBytes)
      throw requestError(
        "too_large",
        { code: "upload_longer", sizeBytes },
        { details: { maxBytes: sizeBytes } },
      );
    bytes.set(chunk, length);
    hash.update(chunk);
    length += chunk.length;
    if (isChecked || length < startBytes) continue;
    check(bytes.subarray(0, length), false);
    isChecked = true;
  }
  if (length < sizeBytes)
    throw requestError("invalid_input", { code: "upload_cut_off", sizeBytes });
  check(bytes, true);
  return { bytes, digest: `sha256:${hash.digest("hex")}` };
}
