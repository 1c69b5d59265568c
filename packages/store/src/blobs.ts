import { BronError, sha256, type OpenBytes } from "@bron/core";
import { sql, type Kysely } from "kysely";
import { createHash } from "node:crypto";
import type { Database } from "./schema.ts";

/** Bytes under their digest, once per owner. Every one has a row; where its bytes are, the row says. */
export interface Blobs {
  /** `digest` is that of the bytes. Returns when they are kept for good. */
  put(ownerId: string, digest: string, bytes: Uint8Array): Promise<void>;
  /** Throws if what is there is not what was kept. */
  read(ownerId: string, digest: string): Promise<Uint8Array | undefined>;
  /** The same in pieces, so that a slow reader holds one of them in memory and not all. What is not what was kept ends in an error before its last piece. */
  open(ownerId: string, digest: string): Promise<OpenBytes | undefined>;
  /** Removes bytes that no artifact and no upload names and that were not stored again within the hour. In the caller's transaction, which is undone if the bytes cannot be removed. */
  removeUnused(transaction: Kysely<Database>, ownerId: string, digest: string): Promise<void>;
}

/** A place for bytes outside the database. Throws storage_unreachable. */
export interface ByteStore {
  put(key: string, bytes: Uint8Array): Promise<void>;
  get(key: string): Promise<Uint8Array | undefined>;
  /** So many bytes from this place on, and how many there are in all. */
  getPart(
    key: string,
    from: number,
    length: number,
  ): Promise<{ readonly bytes: Uint8Array; readonly totalBytes: number } | undefined>;
  /** No error if there is nothing under this key. */
  remove(key: string): Promise<void>;
}

interface Part {
  readonly bytes: Uint8Array;
  readonly totalBytes: number;
}

/** Read at once. */
const partBytes = 1024 * 1024;
/** Handed on at once: what a reader must take within the time that readers have. */
const pieceBytes = 64 * 1024;

/** What was kept in the database is read there even if new bytes go elsewhere. */
export function createBlobs(db: Kysely<Database>, elsewhere?: ByteStore): Blobs {
  const find = (ownerId: string, digest: string) =>
    db.selectFrom("blobs").where("owner_id", "=", ownerId).where("digest", "=", digest);

  const readPart = async (
    ownerId: string,
    digest: string,
    from: number,
  ): Promise<Part | undefined> => {
    const row = await find(ownerId, digest)
      .select((eb) => [
        "location",
        eb.fn<number | null>("length", ["bytes"]).as("total"),
        eb
          .fn<Buffer | null>("substring", [
            "bytes",
            eb.cast<number>(eb.val(from + 1), "integer"),
            eb.cast<number>(eb.val(partBytes), "integer"),
          ])
          .as("part"),
      ])
      .executeTakeFirst();
    if (!row) return undefined;
    if (row.part !== null && row.total !== null)
      return { bytes: new Uint8Array(row.part), totalBytes: row.total };
    const part = await storeOf(elsewhere, digest).getPart(row.location ?? "", from, partBytes);
    if (!part) throw notInStore(digest);
    return part;
  };

  return {
    async put(ownerId, digest, bytes) {
      // Waits for one who removes it at this moment, and then keeps it again.
      const known = await db
        .updateTable("blobs")
        .set({ kept_at: sql<Date>`clock_timestamp()` })
        .where("owner_id", "=", ownerId)
        .where("digest", "=", digest)
        .returning("location")
        .executeTakeFirst();
      if (known?.location === null) return;
      // A removal that failed halfway may have left the row without its bytes.
      if (
        known &&
        elsewhere &&
        bytes.length > 0 &&
        (await elsewhere.getPart(known.location ?? "", 0, 1))
      )
        return;
      const location = known?.location ?? (elsewhere ? keyOf(ownerId, digest) : null);
      // The bytes before the row: a row without its bytes would be a promise that nobody keeps.
      if (elsewhere && location !== null) await elsewhere.put(location, bytes);
      await db
        .insertInto("blobs")
        .values({
          owner_id: ownerId,
          digest,
          bytes: location === null ? Buffer.from(bytes) : null,
          location,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    async read(ownerId, digest) {
      const row = await find(ownerId, digest).select(["bytes", "location"]).executeTakeFirst();
      if (!row) return undefined;
      const bytes = new Uint8Array(
        row.bytes ?? (await fetchBytes(elsewhere, row.location ?? "", digest)),
      );
      if ((await sha256(bytes)) !== digest) throw changed(digest);
      return bytes;
    },

    async open(ownerId, digest) {
      const first = await readPart(ownerId, digest, 0);
      if (!first) return undefined;
      const isWhole = first.bytes.length === first.totalBytes;
      if (isWhole && (await sha256(first.bytes as Uint8Array<ArrayBuffer>)) !== digest)
        throw changed(digest);
      return {
        sizeBytes: first.totalBytes,
        chunks: isWhole
          ? piecesOf(first.bytes)
          : checkedPieces(digest, first, (from) => readPart(ownerId, digest, from)),
      };
    },

    async removeUnused(transaction, ownerId, digest) {
      const removed = await transaction
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
      if (removed && removed.location !== null)
        await storeOf(elsewhere, digest).remove(removed.location);
    },
  };
}

/** Each part is handed on once the next one is there, and the last one once the digest is right. */
async function* checkedPieces(
  digest: string,
  first: Part,
  readPart: (from: number) => Promise<Part | undefined>,
): AsyncGenerator<Uint8Array, void> {
  const hash = createHash("sha256");
  let part = first;
  let read = first.bytes.length;
  hash.update(part.bytes);
  while (read < first.totalBytes) {
    const next = await readPart(read);
    if (!next || next.totalBytes !== first.totalBytes || next.bytes.length === 0)
      throw changed(digest);
    yield* piecesOf(part.bytes);
    part = next;
    read += next.bytes.length;
    hash.update(next.bytes);
  }
  if (`sha256:${hash.digest("hex")}` !== digest) throw changed(digest);
  yield* piecesOf(part.bytes);
}

function* piecesOf(bytes: Uint8Array): Generator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

async function fetchBytes(
  elsewhere: ByteStore | undefined,
  location: string,
  digest: string,
): Promise<Uint8Array> {
  const bytes = await storeOf(elsewhere, digest).get(location);
  if (!bytes) throw notInStore(digest);
  return bytes;
}

function storeOf(elsewhere: ByteStore | undefined, digest: string): ByteStore {
  if (!elsewhere)
    throw new BronError(
      "storage_unreachable",
      `The file ${digest} is in an S3 store, but none is configured.`,
      { retryable: false },
    );
  return elsewhere;
}

function notInStore(digest: string): BronError {
  return new BronError("not_found", `The file ${digest} is missing from the S3 store.`);
}

function changed(digest: string): BronError {
  return new BronError(
    "internal",
    `The stored file ${digest} is corrupted: its content does not match its digest.`,
  );
}

/** Says nothing about the owner. */
function keyOf(ownerId: string, digest: string): string {
  return `${createHash("sha256").update(ownerId).digest("hex")}/${digest.replace("sha256:", "")}`;
}
