import { skillLimits } from "@bron/protocol";
import { gunzipSync } from "node:zlib";
import { archiveError, checkEntry, createRoom, type ArchiveFiles } from "./archive-limits.ts";

const block = 512;
/** Headers and padding come on top of the content. */
const maxTarBytes = skillLimits.totalBytes + 2 * 1024 * 1024;
const maxHeaderBytes = 64 * 1024;

/**
 * Reads a gzipped tar archive. It takes nothing but regular files, and no more bytes than the limits.
 * Throws invalid_input.
 */
export function readTgz(archive: Buffer): ArchiveFiles {
  const files = new Map<string, Uint8Array>();
  const room = createRoom();
  const tar = unpack(archive);
  let longName: string | undefined;
  for (let at = 0; at + block <= tar.length;) {
    const header = tar.subarray(at, at + block);
    if (header.every((byte) => byte === 0)) return files;
    checkSum(header);
    const size = numberAt(header, 124, 12);
    const content = tar.subarray(at + block, at + block + size);
    if (content.length < size) throw archiveError("It is cut off.");
    at += block + Math.ceil(size / block) * block;
    const type = String.fromCharCode(header[156] ?? 0);
    if (type === "L" || type === "x") {
      if (size > maxHeaderBytes) throw archiveError("A name in it is too long.");
      longName = type === "L" ? textOf(content) : (pathIn(content) ?? longName);
      continue;
    }
    if (type === "g") continue;
    const name = (longName ?? nameIn(header)).replace(/^(?:\.\/)+/, "");
    longName = undefined;
    if (type === "5" || name === "" || name === ".") continue;
    if (type === "1" || type === "2") throw archiveError(`${shown(name)} is a link.`);
    if (type !== "0" && type !== "\u0000") throw archiveError(`${shown(name)} is not a file.`);
    if (!checkEntry(name, files)) continue;
    room.take(size, name);
    files.set(name, new Uint8Array(content));
  }
  throw archiveError("It is cut off.");
}

function unpack(archive: Buffer): Buffer {
  try {
    return gunzipSync(archive, { maxOutputLength: maxTarBytes });
  } catch {
    throw archiveError("It is damaged, or too large when unpacked.");
  }
}

function checkSum(header: Buffer): void {
  const expected = numberAt(header, 148, 8);
  const sum = header.reduce(
    (all, byte, index) => all + (index >= 148 && index < 156 ? 32 : byte),
    0,
  );
  if (sum !== expected) throw archiveError("It is damaged, or not a tar archive.");
}

/** A number in octal digits. No file of a skill is large enough for the other form. */
function numberAt(header: Buffer, from: number, length: number): number {
  const text = textOf(header.subarray(from, from + length)).trim();
  if (!/^[0-7]*$/.test(text)) throw archiveError("A file in it is too large.");
  return text === "" ? 0 : Number.parseInt(text, 8);
}

function nameIn(header: Buffer): string {
  const name = textOf(header.subarray(0, 100));
  const isUstar = header.toString("latin1", 257, 262) === "ustar";
  const prefix = isUstar && header[263] === 0x30 ? textOf(header.subarray(345, 500)) : "";
  return prefix === "" ? name : `${prefix}/${name}`;
}

/** The path in an extended header, whose records are `length key=value`, in bytes. */
function pathIn(header: Buffer): string | undefined {
  let path: string | undefined;
  for (let at = 0; at < header.length;) {
    const space = header.indexOf(0x20, at);
    const digits = space === -1 ? "" : header.toString("latin1", at, Math.min(space, at + 7));
    const length = /^[1-9][0-9]{0,5}$/.test(digits) ? Number(digits) : 0;
    if (length === 0 || length <= space - at || at + length > header.length)
      throw archiveError("A header in it is damaged.");
    const value = textOf(header.subarray(space + 1, at + length)).replace(/\n$/, "");
    if (value.startsWith("path=")) path = value.slice("path=".length);
    if (value.startsWith("size=")) throw archiveError("A file in it is too large.");
    at += length;
  }
  return path;
}

/** The text before the first zero byte. */
function textOf(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(
      end === -1 ? bytes : bytes.subarray(0, end),
    );
  } catch {
    throw archiveError("A file in it has a name that is not UTF-8.");
  }
}

const shown = (name: string) => JSON.stringify(name.slice(0, 200));
