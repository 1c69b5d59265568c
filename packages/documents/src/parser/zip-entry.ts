import { inflateRawSync } from "node:zlib";
import type { ZipEntry } from "./zip-directory.ts";

const localBytes = 30;
const deflated = 8;

/**
 * Reads a file of an archive as text. Undefined if it is damaged, uses an unusual compression, or
 * exceeds `maxBytes`.
 */
export function readZipText(
  bytes: Uint8Array,
  { localAt, packedBytes, method }: ZipEntry,
  maxBytes: number,
): string | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (localAt + localBytes > bytes.byteLength) return undefined;
  const from =
    localAt + localBytes + view.getUint16(localAt + 26, true) + view.getUint16(localAt + 28, true);
  const packed = bytes.subarray(from, from + packedBytes);
  if (method !== deflated)
    return method === 0 && packed.length <= maxBytes ? new TextDecoder().decode(packed) : undefined;
  try {
    return new TextDecoder().decode(inflateRawSync(packed, { maxOutputLength: maxBytes }));
  } catch {
    return undefined;
  }
}
