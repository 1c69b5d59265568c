import { BronError, sha256, type OpenBytes } from "@bron/core";
import { sql, type Kysely } from "kysely";
import { createHash } from "node:crypto";
import type { Database } from "../database/schema.ts";

/**
 * Content by digest, stored once per owner. Each blob has a row, which says where the content is
 * stored.
 */
export interface Blobs {
  /** Resolves when the bytes are stored durably. */
  put(blob: NewBlob): Promise<void>;
  /** Throws if the stored content does not match its digest. */
  read(ownerId: string, digest: string): Promise<Uint8Array | undefined>;
  /**
   * Like `read`, but in chunks, so that a slow reader needs memory for only one of them. If the
   * content does not match its digest, it throws before the last chunk.
   */
  open(ownerId: string, digest: string): Promise<OpenBytes | undefined>;
  /**
   * Removes content that no artifact and no upload refers to, unless it was stored again within the
   * last hour. Runs in the caller's transaction, which rolls back if the content cannot be removed.
   */
  removeUnused(transaction: Kysely<Database>, ownerId: string, digest: string): Promise<void>;
}

interface NewBlob {
  readonly ownerId: string;
  /** The digest of the bytes. */
  readonly digest: string;
  readonly bytes: Uint8Array;
  /** New content is removed if nothing refers to it after an hour. */
  readonly isRemovable?: boolean;
}

/** Stores content outside the database. Throws storage_unreachable. */
export interface ByteStore {
  put(key: string, bytes: Uint8Array): Promise<void>;
  get(key: string): Promise<Uint8Array | undefined>;
  /** Returns `length` bytes from `from` on, and the total size. */
  getRange(
    key: string,
    from: number,
    length: number,
  ): Promise<{ readonly bytes: Uint8Array; readonly totalBytes: number } | undefined>;
  /** Succeeds if the key does not exist. */
  remove(key: string): Promise<void>;
}

interface Range {
  readonly bytes: Uint8Array;
  readonly totalBytes: number;
}

/** The size of one read. */
const rangeBytes = 1024 * 1024;
/** The size of one chunk. A reader must take each chunk before its timeout. */
const chunkBytes = 64 * 1024;

/**
 * Content in the database is still read from there, even if new content goes to the remote store.
 */
export function createBlobs(db: Kysely<Database>, remoteStore?: ByteStore): Blobs {
  const find = (ownerId: string, digest: string) =>
    db.selectFrom("blobs").where("owner_id", "=", ownerId).where("digest", "=", digest);

  const readRange = async (
    ownerId: string,
    digest: string,
    from: number,
  ): Promise<Range | undefined> => {
    const row = await find(ownerId, digest)
      .select((eb) => [
        "location",
        eb.fn<number | null>("length", ["bytes"]).as("total"),
        eb
          .fn<Buffer | null>("substring", [
            "bytes",
            eb.cast<number>(eb.val(from + 1), "integer"),
            eb.cast<number>(eb.val(rangeBytes), "integer"),
          ])
          .as("range"),
      ])
      .executeTakeFirst();
    if (!row) return undefined;
    if (row.range !== null && row.total !== null)
      return { bytes: new Uint8Array(row.range), totalBytes: row.total };
    const range = await requireStore(remoteStore, digest).getRange(
      row.location ?? "",
      from,
      rangeBytes,
    );
    if (!range) throw missingFromStore(digest);
    return range;
  };

  return {
    put: (content) => putContent(db, remoteStore, content),

    async read(ownerId, digest) {
      const row = await find(ownerId, digest).select(["bytes", "location"]).executeTakeFirst();
      if (!row) return undefined;
      const bytes = new Uint8Array(
        row.bytes ?? (await fetchBytes(remoteStore, row.location ?? "", digest)),
      );
      if ((await sha256(bytes)) !== digest) throw corrupted(digest);
      return bytes;
    },

    async open(ownerId, digest) {
      const first = await readRange(ownerId, digest, 0);
      if (!first) return undefined;
      const isComplete = first.bytes.length === first.totalBytes;
      if (isComplete && (await sha256(first.bytes as Uint8Array<ArrayBuffer>)) !== digest)
        throw corrupted(digest);
      return {
        sizeBytes: first.totalBytes,
        chunks: isComplete
          ? chunksOf(first.bytes)
          : verifiedChunks(digest, first, (from) => readRange(ownerId, digest, from)),
      };
    },

    async removeUnused(transaction, ownerId, digest) {
      const removed = await removeUnusedRow(transaction, ownerId, digest);
      if (removed && removed.location !== null)
        await requireStore(remoteStore, digest).remove(removed.location);
    },
  };
}

async function putContent(
  db: Kysely<Database>,
  remoteStore: ByteStore | undefined,
  { ownerId, digest, bytes, isRemovable = false }: Parameters<Blobs["put"]>[0],
): Promise<void> {
  // Waits for a concurrent removal and then stores the content again.
  const existing = await db
    .updateTable("blobs")
    .set({ kept_at: sql<Date>`clock_timestamp()` })
    .where("owner_id", "=", ownerId)
    .where("digest", "=", digest)
    .returning("location")
    .executeTakeFirst();
  if (existing?.location === null) return;
  // A removal that failed halfway may have left the row without its content.
  if (
    existing &&
    remoteStore &&
    bytes.length > 0 &&
    (await remoteStore.getRange(existing.location ?? "", 0, 1))
  )
    return;
  const location = existing?.location ?? (remoteStore ? storeKey(ownerId, digest) : null);
  // The content is stored before the row, because a row must never exist without its content.
  if (remoteStore && location !== null) await remoteStore.put(location, bytes);
  // Remembered in the same statement, because this process may die before anything refers to it.
  await sql`
    with remembered as (
      insert into removable_blobs (owner_id, digest)
      select ${ownerId}, ${digest} where ${isRemovable}::boolean on conflict do nothing
    )
    insert into blobs (owner_id, digest, bytes, location)
    values (${ownerId}, ${digest}, ${location === null ? Buffer.from(bytes) : null}, ${location})
    on conflict do nothing`.execute(db);
}

/** Removes the row of content that nothing refers to. Returns where the content is. */
async function removeUnusedRow(
  transaction: Parameters<Blobs["removeUnused"]>[0],
  ownerId: string,
  digest: string,
) {
  return await transaction
    .deleteFrom("blobs")
    .where("owner_id", "=", ownerId)
    .where("digest", "=", digest)
    .where(sql<boolean>`kept_at < clock_timestamp() - interval '1 hour'`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("artifacts")
            .select("id")
            .where("artifacts.owner_id", "=", ownerId)
            .where("artifacts.digest", "=", digest),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("uploads")
            .select("id")
            .where("uploads.owner_id", "=", ownerId)
            .where("uploads.digest", "=", digest),
        ),
      ),
    )
    .returning("location")
    .executeTakeFirst();
}

/**
 * Yields each range only after the next one has been read, and the last one only after the digest
 * was verified.
 */
async function* verifiedChunks(
  digest: string,
  first: Range,
  readRange: (from: number) => Promise<Range | undefined>,
): AsyncGenerator<Uint8Array, void> {
  const hash = createHash("sha256");
  let range = first;
  let read = first.bytes.length;
  hash.update(range.bytes);
  while (read < first.totalBytes) {
    const next = await readRange(read);
    if (!next || next.totalBytes !== first.totalBytes || next.bytes.length === 0)
      throw corrupted(digest);
    yield* chunksOf(range.bytes);
    range = next;
    read += next.bytes.length;
    hash.update(next.bytes);
  }
  if (`sha256:${hash.digest("hex")}` !== digest) throw corrupted(digest);
  yield* chunksOf(range.bytes);
}

function* chunksOf(bytes: Uint8Array): Generator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

async function fetchBytes(
  remoteStore: ByteStore | undefined,
  location: string,
  digest: string,
): Promise<Uint8Array> {
  const bytes = await requireStore(remoteStore, digest).get(location);
  if (!bytes) throw missingFromStore(digest);
  return bytes;
}

function requireStore(remoteStore: ByteStore | undefined, digest: string): ByteStore {
  if (!remoteStore)
    throw new BronError(
      "storage_unreachable",
      `The file ${digest} is in an S3 store, but none is configured.`,
      { retryable: false },
    );
  return remoteStore;
}

function missingFromStore(digest: string): BronError {
  return new BronError("not_found", `The file ${digest} is missing from the S3 store.`);
}

function corrupted(digest: string): BronError {
  return new BronError(
    "internal",
    `The stored file ${digest} is corrupted: its content does not match its digest.`,
  );
}

/** The key does not reveal the owner. */
function storeKey(ownerId: string, digest: string): string {
  return `${createHash("sha256").update(ownerId).digest("hex")}/${digest.replace("sha256:", "")}`;
}
