import { BronError, sha256 } from "@bron/core";
import type { Kysely } from "kysely";
import { createHash } from "node:crypto";
import type { Database } from "./schema.ts";

/** Bytes under their digest, once per owner. Every one has a row; where its bytes are, the row says. */
export interface Blobs {
  /** `digest` is that of the bytes. Returns when they are kept for good. */
  put(ownerId: string, digest: string, bytes: Uint8Array): Promise<void>;
  /** Throws if what is there is not what was kept. */
  read(ownerId: string, digest: string): Promise<Uint8Array | undefined>;
}

/** A place for bytes outside the database. Throws storage_unreachable. */
export interface ByteStore {
  put(key: string, bytes: Uint8Array): Promise<void>;
  get(key: string): Promise<Uint8Array | undefined>;
}

/** What was kept in the database is read there even if new bytes go elsewhere. */
export function createBlobs(db: Kysely<Database>, elsewhere?: ByteStore): Blobs {
  const find = (ownerId: string, digest: string) => db.selectFrom("blobs").where("owner_id", "=", ownerId).where("digest", "=", digest);
  return {
    async put(ownerId, digest, bytes) {
      if (await find(ownerId, digest).select("digest").executeTakeFirst()) return;
      const location = elsewhere ? keyOf(ownerId, digest) : null;
      // The bytes before the row: a row without its bytes would be a promise that nobody keeps.
      if (elsewhere && location !== null) await elsewhere.put(location, bytes);
      await db.insertInto("blobs").values({ owner_id: ownerId, digest, bytes: location === null ? Buffer.from(bytes) : null, location }).onConflict((conflict) => conflict.doNothing()).execute();
    },
    async read(ownerId, digest) {
      const row = await find(ownerId, digest).select(["bytes", "location"]).executeTakeFirst();
      if (!row) return undefined;
      const bytes = new Uint8Array(row.bytes ?? (await fetchBytes(elsewhere, row.location ?? "", digest)));
      if ((await sha256(bytes)) !== digest) throw new BronError("internal", `The bytes that were kept as ${digest} are other ones now.`);
      return bytes;
    },
  };
}

async function fetchBytes(elsewhere: ByteStore | undefined, location: string, digest: string): Promise<Uint8Array> {
  if (!elsewhere) throw new BronError("storage_unreachable", `The bytes of ${digest} are in an S3 store, and this Bron has none configured.`, { retryable: false });
  const bytes = await elsewhere.get(location);
  if (!bytes) throw new BronError("not_found", `The bytes of ${digest} are not in the S3 store any more.`);
  return bytes;
}

/** Says nothing about the owner. */
function keyOf(ownerId: string, digest: string): string {
  return `${createHash("sha256").update(ownerId).digest("hex")}/${digest.replace("sha256:", "")}`;
}
