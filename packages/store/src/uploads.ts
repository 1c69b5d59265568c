import { BronError, cleanText, type NewRun, type Uploads } from "@bron/core";
import { uploadKind, type EventPayloads } from "@bron/protocol";
import { sql, type Kysely, type Selectable } from "kysely";
import { randomUUID } from "node:crypto";
import type { Blobs } from "./blobs.ts";
import { toUploadView } from "./rows.ts";
import type { Database } from "./schema.ts";
import { isUuid } from "./uuid.ts";
import type { WakeWriter } from "./wake.ts";

type UploadRow = Selectable<Database["uploads"]>;
type ArtifactPayload = EventPayloads["artifact"];

interface UploadsParts {
  readonly db: Kysely<Database>;
  readonly writer: WakeWriter;
  readonly blobs: Blobs;
}

export function postgresUploads({ db, writer, blobs }: UploadsParts): Uploads {
  const find = async (ownerId: string, uploadId: string) => {
    if (!isUuid(uploadId)) return undefined;
    return await db.selectFrom("uploads").selectAll().select(sql<boolean>`digest is null and expires_at > clock_timestamp()`.as("is_awaited")).where("id", "=", uploadId).where("owner_id", "=", ownerId).executeTakeFirst();
  };
  return {
    async announce(ownerId, { filename, contentType, sizeBytes, goodForMs }) {
      // What was announced and never came makes room.
      const { rows } = await sql<UploadRow & { expires_at: Date }>`
        with owner as (insert into owners (id) values (${ownerId}) on conflict do nothing),
        gone as (delete from uploads where owner_id = ${ownerId} and digest is null and expires_at < clock_timestamp() - interval '1 hour')
        insert into uploads (id, owner_id, filename, content_type, size_bytes, expires_at)
        values (${randomUUID()}, ${ownerId}, ${cleanText(filename)}, ${contentType}, ${sizeBytes}, clock_timestamp() + ${goodForMs}::bigint * interval '1 millisecond') returning *`.execute(db);
      const row = rows[0];
      if (!row) throw new BronError("internal", "An upload was not announced");
      return { upload: toUploadView(row), expiresAt: row.expires_at.toISOString() };
    },

    async get(ownerId, uploadId) {
      const row = await find(ownerId, uploadId);
      return row && toUploadView(row);
    },

    async awaited(ownerId, uploadId) {
      const row = await find(ownerId, uploadId);
      return row?.is_awaited === true ? toUploadView(row) : undefined;
    },

    async keep(ownerId, uploadId, { digest, bytes }) {
      const found = await find(ownerId, uploadId);
      if (!found) throw notThere(uploadId);
      if (found.digest !== null) throw hasItsBytes();
      await blobs.put(ownerId, digest, bytes);
      // Of several who bring bytes at the same time, one.
      const kept = await db.updateTable("uploads").set({ digest }).where("id", "=", uploadId).where("owner_id", "=", ownerId).where("digest", "is", null).returningAll().executeTakeFirst();
      if (!kept) throw hasItsBytes();
      return toUploadView(kept);
    },

    async attach(ownerId, uploadId, runId) {
      return await writer.transaction(async ({ db: inside, appendAndWake }) => {
        const [row] = await lockUploads(inside, ownerId, [uploadId]);
        if (!row) throw notThere(uploadId);
        if (row.digest === null) throw new BronError("conflict", "The bytes of this upload are not here yet.");
        if (row.run_id === runId.toLowerCase()) return toUploadView(row);
        if (row.run_id !== null) throw inUse(row);
        const run = isUuid(runId) && (await inside.selectFrom("runs").select("id").where("id", "=", runId).where("owner_id", "=", ownerId).executeTakeFirst());
        if (!run) throw new BronError("not_found", `There is no run ${runId}.`);
        const file = artifactOf(row, row.digest);
        if (!(await appendAndWake(ownerId, runId, [{ type: "artifact", payload: file }]))) throw new BronError("conflict", "This run is over: nothing can be attached to it any more.");
        await writeFiles(inside, { ownerId, runId }, [file]);
        await takeUploads(inside, [uploadId], runId);
        return toUploadView({ ...row, run_id: runId });
      });
    },
  };
}

/** The files of a run that is about to be made, in the order of its request; locked until then. */
export async function filesFor(db: Kysely<Database>, { ownerId, input, retry }: NewRun): Promise<ArtifactPayload[]> {
  const ids = uploadIdsOf(input);
  const rows = await lockUploads(db, ownerId, ids);
  const files = ids.map((id) => {
    const row = rows.find((one) => one.id === id);
    if (!row || row.digest === null) throw notThere(id);
    if (row.run_id !== null) throw inUse(row);
    return artifactOf(row, row.digest);
  });
  return retry ? [...files, ...(await filesOf(db, ownerId, retry.runId))] : files;
}

/** A retry has what the run had that it tries again. */
async function filesOf(db: Kysely<Database>, ownerId: string, runId: string): Promise<ArtifactPayload[]> {
  const rows = await db.selectFrom("artifacts").selectAll().where("run_id", "=", runId).where("owner_id", "=", ownerId).where("kind", "=", uploadKind).orderBy("created_at").orderBy("id").execute();
  return rows.map(({ kind, name, media_type: mediaType, digest, size_bytes: sizeBytes }) => ({ artifactId: randomUUID(), kind, name, mediaType, digest, sizeBytes }));
}

/** The rows of files whose events are in the log of a run, and the run of their uploads. */
export async function keepFiles(db: Kysely<Database>, { run, runId }: { readonly run: NewRun; readonly runId: string }, files: readonly ArtifactPayload[]): Promise<void> {
  if (files.length === 0) return;
  await writeFiles(db, { ownerId: run.ownerId, runId }, files);
  await takeUploads(db, uploadIdsOf(run.input), runId);
}

function uploadIdsOf({ uploadIds = [] }: NewRun["input"]): string[] {
  return [...new Set(uploadIds.map((id) => id.toLowerCase()))];
}

/** Always in the order of their ids, so that nobody waits in a circle. */
async function lockUploads(db: Kysely<Database>, ownerId: string, ids: readonly string[]): Promise<UploadRow[]> {
  const known = ids.filter(isUuid);
  return known.length === 0 ? [] : await db.selectFrom("uploads").selectAll().where("id", "in", known).where("owner_id", "=", ownerId).orderBy("id").forUpdate().execute();
}

async function writeFiles(db: Kysely<Database>, { ownerId, runId }: { readonly ownerId: string; readonly runId: string }, files: readonly ArtifactPayload[]): Promise<void> {
  const rows = files.map(({ artifactId, kind, name, mediaType, digest, sizeBytes }) => ({ id: artifactId, run_id: runId, owner_id: ownerId, kind, name, media_type: mediaType, digest, size_bytes: sizeBytes, blob_url: null }));
  await db.insertInto("artifacts").values(rows).execute();
}

async function takeUploads(db: Kysely<Database>, ids: readonly string[], runId: string): Promise<void> {
  if (ids.length > 0) await db.updateTable("uploads").set({ run_id: runId }).where("id", "in", ids).execute();
}

function artifactOf({ filename, content_type: mediaType, size_bytes: sizeBytes }: UploadRow, digest: string): ArtifactPayload {
  return { artifactId: randomUUID(), kind: uploadKind, name: filename, mediaType, digest, sizeBytes };
}

function notThere(uploadId: string): BronError {
  return new BronError("not_found", `There is no upload ${uploadId}, or its bytes never came.`);
}

function hasItsBytes(): BronError {
  return new BronError("conflict", "This upload has its bytes already.");
}

function inUse({ filename }: UploadRow): BronError {
  return new BronError("conflict", `${filename} belongs to another run already.`);
}
