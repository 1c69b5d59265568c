import { BronError, sha256, type Artifacts } from "@bron/core";
import type { Kysely } from "kysely";
import { randomUUID } from "node:crypto";
import { toArtifactView } from "./rows.ts";
import type { Database } from "./schema.ts";
import { isUuid } from "./uuid.ts";

export function postgresArtifacts(db: Kysely<Database>): Artifacts {
  return {
    async put({ ownerId, bytes }) {
      const digest = await sha256(new Uint8Array(bytes));
      try {
        await db.insertInto("blobs").values({ owner_id: ownerId, digest, bytes: Buffer.from(bytes) }).onConflict((conflict) => conflict.doNothing()).execute();
      } catch (error) {
        if ((error as { code?: string }).code === "53100") throw new BronError("disk_full", "The database's disk is full; the artifact was not stored.", { cause: error });
        throw error;
      }
      return { artifactId: randomUUID(), digest, sizeBytes: bytes.length };
    },

    async list(ownerId, runId) {
      if (!isUuid(runId)) return [];
      const rows = await db.selectFrom("artifacts").selectAll().where("owner_id", "=", ownerId).where("run_id", "=", runId).orderBy("created_at").execute();
      return rows.map(toArtifactView);
    },

    async read(ownerId, digest) {
      const row = await db.selectFrom("blobs").select("bytes").where("owner_id", "=", ownerId).where("digest", "=", digest).executeTakeFirst();
      return row && new Uint8Array(row.bytes);
    },
  };
}
