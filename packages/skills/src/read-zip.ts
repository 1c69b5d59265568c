import { crc32, inflateRawSync } from "node:zlib";
import { archiveError, checkEntry, createRoom, type ArchiveFiles } from "./archive-limits.ts";

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const localSignature = 0x04034b50;
const maxCommentBytes = 65_535;
const endBytes = 22;
const symbolicLink = 0o120000;
const typeMask = 0o170000;
const regularFile = 0o100000;

/**
 * Reads a ZIP archive. It takes nothing but regular files, and no more bytes than the limits, whatever
 * the archive declares. Throws invalid_input.
 */
export function readZip(archive: Buffer): ArchiveFiles {
  const files = new Map<string, Uint8Array>();
  const room = createRoom();
  for (const entry of entriesOf(archive)) {
    const { name, mode, flags } = entry;
    if ((flags & 1) !== 0) throw archiveError("The archive is encrypted.");
    const type = mode & typeMask;
    if (type === symbolicLink) throw archiveError(`${shown(name)} is a link.`);
    if (name.endsWith("/")) continue;
    if (type !== 0 && type !== regularFile) throw archiveError(`${shown(name)} is not a file.`);
    if (!checkEntry(name, files)) continue;
    room.take(entry.size, name);
    files.set(name, contentOf(archive, entry));
  }
  return files;
}

interface Entry {
  readonly name: string;
  readonly rawName: Buffer;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly packedSize: number;
  readonly size: number;
  readonly mode: number;
  readonly offset: number;
}

function* entriesOf(archive: Buffer): Generator<Entry> {
  const end = findEnd(archive);
  const count = archive.readUInt16LE(end + 10);
  let at = archive.readUInt32LE(end + 16);
  if (archive.readUInt16LE(end + 4) !== 0) throw archiveError("The archive has several parts.");
  for (let index = 0; index < count; index++) {
    if (at + 46 > archive.length || archive.readUInt32LE(at) !== entrySignature)
      throw archiveError("The list of files in the archive is damaged.");
    const nameBytes = archive.readUInt16LE(at + 28);
    const extraBytes = archive.readUInt16LE(at + 30);
    const commentBytes = archive.readUInt16LE(at + 32);
    const rawName = archive.subarray(at + 46, at + 46 + nameBytes);
    yield {
      name: decodeName(rawName),
      rawName,
      flags: archive.readUInt16LE(at + 8),
      method: archive.readUInt16LE(at + 10),
      crc: archive.readUInt32LE(at + 16),
      packedSize: archive.readUInt32LE(at + 20),
      size: archive.readUInt32LE(at + 24),
      mode: archive.readUInt32LE(at + 38) >>> 16,
      offset: archive.readUInt32LE(at + 42),
    };
    at += 46 + nameBytes + extraBytes + commentBytes;
  }
}

function findEnd(archive: Buffer): number {
  const first = Math.max(0, archive.length - endBytes - maxCommentBytes);
  for (let at = archive.length - endBytes; at >= first; at--)
    if (archive.readUInt32LE(at) === endSignature) return at;
  throw archiveError("The archive is damaged or cut off.");
}

/** The names in the list and beside the content must be the same: programs differ in which they use. */
function contentOf(archive: Buffer, entry: Entry): Uint8Array {
  const { name, rawName, offset, method, packedSize, size, crc } = entry;
  const damaged = archiveError(`${shown(name)} is damaged.`);
  if (offset + 30 > archive.length || archive.readUInt32LE(offset) !== localSignature)
    throw damaged;
  const nameBytes = archive.readUInt16LE(offset + 26);
  const start = offset + 30 + nameBytes + archive.readUInt16LE(offset + 28);
  if (!archive.subarray(offset + 30, offset + 30 + nameBytes).equals(rawName)) throw damaged;
  if (start + packedSize > archive.length) throw damaged;
  const content = unpack(archive.subarray(start, start + packedSize), { name, method, size });
  if (content.length !== size || crc32(content) !== crc) throw damaged;
  return content;
}

function unpack(
  packed: Buffer,
  { name, method, size }: Pick<Entry, "name" | "method" | "size">,
): Uint8Array {
  if (method === 0) return new Uint8Array(packed);
  if (method !== 8) throw archiveError(`${shown(name)} is packed in a way that Bron can't read.`);
  try {
    return new Uint8Array(inflateRawSync(packed, { maxOutputLength: Math.max(1, size) }));
  } catch {
    throw archiveError(`${shown(name)} is damaged, or larger than the archive says.`);
  }
}

function decodeName(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw archiveError("A file in the archive has a name that is not UTF-8.");
  }
}

const shown = (name: string) => JSON.stringify(name.slice(0, 200));
