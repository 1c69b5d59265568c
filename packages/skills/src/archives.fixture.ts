import { crc32, deflateRawSync, gzipSync } from "node:zlib";

export interface ZipEntry {
  readonly name: string;
  readonly content?: string | Uint8Array;
  /** The Unix mode. */
  readonly mode?: number;
  readonly declaredSize?: number;
  readonly crc?: number;
  readonly flags?: number;
  readonly method?: number;
  /** The name beside the content. By default the same. */
  readonly localName?: string;
}

/** A ZIP archive, as wrong as the entries say. */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const locals: Buffer[] = [];
  const list: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const content = Buffer.from(entry.content ?? "");
    const { method = 8, flags = 0x800, mode = 0o100644 } = entry;
    const packed = method === 8 ? deflateRawSync(content) : content;
    const size = entry.declaredSize ?? content.length;
    const sum = entry.crc ?? crc32(content);
    const localName = Buffer.from(entry.localName ?? entry.name);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(flags, 6);
    local.writeUInt16LE(method, 8);
    local.writeUInt32LE(sum, 14);
    local.writeUInt32LE(packed.length, 18);
    local.writeUInt32LE(size, 22);
    local.writeUInt16LE(localName.length, 26);
    const name = Buffer.from(entry.name);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(0x0314, 4);
    central.writeUInt16LE(flags, 8);
    central.writeUInt16LE(method, 10);
    central.writeUInt32LE(sum, 16);
    central.writeUInt32LE(packed.length, 20);
    central.writeUInt32LE(size, 24);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt32LE((mode << 16) >>> 0, 38);
    central.writeUInt32LE(offset, 42);
    locals.push(local, localName, packed);
    list.push(central, name);
    offset += 30 + localName.length + packed.length;
  }
  const directory = Buffer.concat(list);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}

export interface TarEntry {
  readonly name: string;
  readonly content?: string | Uint8Array;
  readonly type?: string;
  readonly linkName?: string;
  readonly declaredSize?: number;
  readonly checksum?: number;
}

/** A gzipped tar archive, as wrong as the entries say. */
export function tgzOf(entries: readonly TarEntry[], { hasEnd = true } = {}): Buffer {
  const blocks = entries.flatMap((entry) => {
    const content = Buffer.from(entry.content ?? "");
    const header = Buffer.alloc(512);
    header.write(entry.name.slice(0, 100), 0);
    header.write("0000644\0", 100);
    header.write(`${(entry.declaredSize ?? content.length).toString(8).padStart(11, "0")}\0`, 124);
    header.write("        ", 148);
    header.write(entry.type ?? "0", 156);
    header.write(entry.linkName ?? "", 157);
    header.write("ustar\u000000", 257);
    const sum = entry.checksum ?? header.reduce((all, byte) => all + byte, 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return gzipSync(Buffer.concat([...blocks, ...(hasEnd ? [Buffer.alloc(1_024)] : [])]));
}
