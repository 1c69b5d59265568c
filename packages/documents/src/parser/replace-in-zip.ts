import { crc32 } from "node:zlib";
import type { ZipEntry } from "./zip-directory.ts";

const [localSignature, entrySignature, endSignature] = [0x04034b50, 0x02014b50, 0x06054b50];
const localBytes = 30;

/** Replaces the contents of some files in an archive. The new contents are stored uncompressed. */
export function replaceInZip(
  bytes: Uint8Array,
  entries: readonly ZipEntry[],
  contents: ReadonlyMap<string, Uint8Array>,
): Uint8Array<ArrayBuffer> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const locals: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let at = 0;
  for (const entry of entries) {
    const content = contents.get(entry.name);
    const from =
      entry.localAt +
      localBytes +
      view.getUint16(entry.localAt + 26, true) +
      view.getUint16(entry.localAt + 28, true);
    const packed = content ?? bytes.subarray(from, from + entry.packedBytes);
    const name = new TextEncoder().encode(entry.name);
    const shared = [
      content ? 0 : entry.method,
      content ? crc32(content) : view.getUint32(entry.localAt + 14, true),
      packed.length,
      content?.length ?? entry.unpackedBytes,
    ] as const;
    const local = localHeader(shared, name.length);
    locals.push(local, name, packed);
    directory.push(directoryHeader(shared, name.length, at), name);
    at += local.length + name.length + packed.length;
  }
  const end = new DataView(new ArrayBuffer(22));
  end.setUint32(0, endSignature, true);
  end.setUint16(8, entries.length, true);
  end.setUint16(10, entries.length, true);
  end.setUint32(
    12,
    directory.reduce((sum, { length }) => sum + length, 0),
    true,
  );
  end.setUint32(16, at, true);
  return join([...locals, ...directory, new Uint8Array(end.buffer)]);
}

type Shared = readonly [method: number, crc: number, packedBytes: number, unpackedBytes: number];

function localHeader(shared: Shared, nameBytes: number): Uint8Array {
  return header({ signature: localSignature, bytes: localBytes, from: 4 }, shared, nameBytes);
}

function directoryHeader(shared: Shared, nameBytes: number, localAt: number): Uint8Array {
  const bytes = header({ signature: entrySignature, bytes: 46, from: 6 }, shared, nameBytes);
  new DataView(bytes.buffer).setUint32(42, localAt, true);
  return bytes;
}

/** Both header types have the same fields in the same order, at different offsets. */
function header(
  {
    signature,
    bytes,
    from,
  }: { readonly signature: number; readonly bytes: number; readonly from: number },
  [method, crc, packedBytes, unpackedBytes]: Shared,
  nameBytes: number,
): Uint8Array {
  const view = new DataView(new ArrayBuffer(bytes));
  view.setUint32(0, signature, true);
  view.setUint16(from, 20, true);
  view.setUint16(from + 4, method, true);
  view.setUint32(from + 10, crc, true);
  view.setUint32(from + 14, packedBytes, true);
  view.setUint32(from + 18, unpackedBytes, true);
  view.setUint16(from + 22, nameBytes, true);
  return new Uint8Array(view.buffer);
}

function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
