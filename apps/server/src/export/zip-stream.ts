import { Zip, ZipDeflate, ZipPassThrough } from "fflate";

export interface ZipEntry {
  readonly name: string;
  /** Only text is compressed, because most other files already are. */
  readonly isText: boolean;
  readonly modifiedAt: Date;
  readonly chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** Streams a zip archive. Reads on demand and holds one chunk at a time. */
export async function* zipStream(
  entries: AsyncIterable<ZipEntry>,
): AsyncGenerator<Uint8Array, void> {
  let made: Uint8Array[] = [];
  const zip = new Zip((error, data) => {
    if (error) throw error;
    made.push(data);
  });
  const take = () => {
    const taken = made.filter(({ length }) => length > 0);
    made = [];
    return taken;
  };
  for await (const { name, isText, modifiedAt, chunks } of entries) {
    const entry = isText ? new ZipDeflate(name) : new ZipPassThrough(name);
    entry.mtime = modifiedAt;
    zip.add(entry);
    for await (const chunk of chunks) {
      entry.push(chunk);
      yield* take();
    }
    entry.push(new Uint8Array(0), true);
    yield* take();
  }
  zip.end();
  yield* take();
}
