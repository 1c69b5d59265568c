import { failure } from "./failure.ts";

export interface ZipEntry {
  readonly name: string;
  readonly unpackedBytes: number;
  readonly packedBytes: number;
  /** 8 means deflated, 0 means stored. */
  readonly method: number;
  /** Offset of its local header. */
  readonly localAt: number;
}

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const endBytes = 22;
const entryBytes = 46;
const maxCommentBytes = 0xffff;
const maxEntries = 10_000;

/**
 * Reads the directory of an archive without inflating anything. Throws a failure if there is none.
 */
export function readZipDirectory(bytes: Uint8Array): ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = findEnd(view);
  if (end === undefined) throw damaged();
  const count = view.getUint16(end + 10, true);
  const entries: ZipEntry[] = [];
  // 0xffff and 0xffffffff announce the 64-bit format, which no archive below 4 GB or 65,535 files
  // needs.
  if (count === 0xffff || count > maxEntries) throw failure({ code: "archive_crowded" });
  let at = view.getUint32(end + 16, true);
  for (let index = 0; index < count; index++) {
    if (at + entryBytes > view.byteLength || view.getUint32(at, true) !== entrySignature)
      throw damaged();
    const [nameBytes, extraBytes, commentBytes] = [
      view.getUint16(at + 28, true),
      view.getUint16(at + 30, true),
      view.getUint16(at + 32, true),
    ];
    const name = new TextDecoder().decode(
      bytes.subarray(at + entryBytes, at + entryBytes + nameBytes),
    );
    entries.push({
      name,
      unpackedBytes: view.getUint32(at + 24, true),
      packedBytes: view.getUint32(at + 20, true),
      method: view.getUint16(at + 10, true),
      localAt: view.getUint32(at + 42, true),
    });
    at += entryBytes + nameBytes + extraBytes + commentBytes;
  }
  return entries;
}

/** Searches from the end, because a comment of any content may follow. */
function findEnd(view: DataView): number | undefined {
  const lowest = Math.max(0, view.byteLength - endBytes - maxCommentBytes);
  for (let at = view.byteLength - endBytes; at >= lowest; at--) {
    if (view.getUint32(at, true) === endSignature) return at;
  }
  return undefined;
}

function damaged() {
  return failure({ code: "file_damaged", content: "archive" });
}
