import { sha256, type Artifacts } from "@bron/core";
import type { Kysely } from "kysely";
import { randomUUID } from "node:crypto";
import type { Blobs } from "./blobs.ts";
import { toArtifactView } from "../tables/rows.ts";
import type { Database } from "../database/schema.ts";
import { isUuid } from "@bron/protocol";

export function postgresArtifacts(db: Kysely<Database>, blobs: Blobs): Artifacts {
  return {
    // Stores only the bytes. The append of the artifact event writes the row.
    async put({ ownerId, bytes }) {
      const digest = await sha256(new Uint8Array(bytes));
      await blobs.put({ ownerId, digest, bytes, isRemovable: true });
      return { artifactId: randomUUID(), digest, sizeBytes: bytes.length };
    },

    async list(ownerId, runId) {
      if (!isUuid(runId)) return [];
      const rows = await db
        .selectFrom("artifacts")
        .selectAll()
        .where("owner_id", "=", ownerId)
        .where("run_id", "=", runId)
        .orderBy("created_at")
        .orderBy("id")
        .execute();
      return rows.map(toArtifactView);
    },

    read: blobs.read,
    open: blobs.open,
  };
}
