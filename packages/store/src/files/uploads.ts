import {
  BronError,
  requestError,
  cleanText,
  type NewRun,
  type Uploads,
  type UploadQuota,
} from "@bron/core";
import { uploadKind, type EventPayloads, isUuid, type UploadView } from "@bron/protocol";
import { sql, type Kysely, type Selectable } from "kysely";
import { randomUUID } from "node:crypto";
import type pg from "pg";
import type { Blobs } from "./blobs.ts";
import { inTransaction } from "../database/database.ts";
import { removeBlobs } from "./removable-blobs.ts";
import { toUploadView } from "../tables/rows.ts";
import type { Database } from "../database/schema.ts";
import type { WakeWriter } from "../runs/wake.ts";

type UploadRow = Selectable<Database["uploads"]>;
type ArtifactPayload = EventPayloads["artifact"];

interface UploadsDeps {
  readonly pool: pg.Pool;
  readonly db: Kysely<Database>;
  readonly writer: WakeWriter;
  readonly blobs: Blobs;
}

export function postgresUploads({ pool, db, writer, blobs }: UploadsDeps): Uploads {
  const find = async (ownerId: string, uploadId: string) => {
    if (!isUuid(uploadId)) return undefined;
    return await db
      .selectFrom("uploads")
      .selectAll()
      .select(sql<boolean>`digest is null and expires_at > clock_timestamp()`.as("is_awaited"))
      .where("id", "=", uploadId)
      .where("owner_id", "=", ownerId)
      .executeTakeFirst();
  };
  return {
    async create(
      ownerId,
      { filename, contentType, sizeBytes, ttlMs, quota = { ownerBytes: 0, allBytes: 0 } },
    ) {
      const row = await inTransaction(pool, async ({ db: inside }) => {
        await checkQuota(inside, { ownerId, sizeBytes, quota });
        // Removes expired uploads without content to make room.
        const { rows } = await sql<UploadRow & { expires_at: Date }>`
          with owner as (insert into owners (id) values (${ownerId}) on conflict do nothing),
          gone as (delete from uploads where owner_id = ${ownerId} and digest is null and expires_at < clock_timestamp() - interval '1 hour')
          insert into uploads (id, owner_id, filename, content_type, size_bytes, expires_at)
          values (${randomUUID()}, ${ownerId}, ${cleanText(filename)}, ${contentType}, ${sizeBytes},
            clock_timestamp() + ${ttlMs}::bigint * interval '1 millisecond') returning *`.execute(
          inside,
        );
        return rows[0];
      });
      if (!row) throw new BronError("internal", "An upload was not created");
      return { upload: toUploadView(row), expiresAt: row.expires_at.toISOString() };
    },

    async get(ownerId, uploadId) {
      const row = await find(ownerId, uploadId);
      return row && toUploadView(row);
    },

    async getPending(ownerId, uploadId) {
      const row = await find(ownerId, uploadId);
      return row?.is_awaited === true ? toUploadView(row) : undefined;
    },

    async storeContent(ownerId, uploadId, { digest, bytes }) {
      const found = await find(ownerId, uploadId);
      if (!found) throw uploadNotFound(uploadId);
      if (found.digest !== null) throw alreadyUploaded();
      await blobs.put({ ownerId, digest, bytes });
      // If several requests upload the content at the same time, one wins.
      const updated = await db
        .updateTable("uploads")
        .set({ digest })
        .where("id", "=", uploadId)
        .where("owner_id", "=", ownerId)
        .where("digest", "is", null)
        .returningAll()
        .executeTakeFirst();
      if (!updated) throw alreadyUploaded();
      return toUploadView(updated);
    },

    attach: (ownerId, uploadId, runId) => attachUpload(writer, { ownerId, uploadId, runId }),

    async removeUnattached(olderThanMs) {
      const removed = await inTransaction(pool, ({ db: inside }) =>
        removeOld(inside, blobs, olderThanMs),
      );
      return removed + (await inTransaction(pool, ({ db: inside }) => removeBlobs(inside, blobs)));
    },
  };
}

/** Attaches a file to a run under way, and tells the run. */
async function attachUpload(
  writer: WakeWriter,
  { ownerId, uploadId, runId }: Readonly<Record<"ownerId" | "uploadId" | "runId", string>>,
): Promise<UploadView> {
  return await writer.transaction(async ({ db: inside, appendAndWake }) => {
    const [row] = await lockUploads(inside, ownerId, [uploadId]);
    if (!row) throw uploadNotFound(uploadId);
    if (row.digest === null) throw requestError("conflict", { code: "upload_pending" });
    if (row.run_id === runId.toLowerCase()) return toUploadView(row);
    if (row.run_id !== null) throw alreadyAttached(row);
    const run =
      isUuid(runId) &&
      (await inside
        .selectFrom("runs")
        .select("id")
        .where("id", "=", runId)
        .where("owner_id", "=", ownerId)
        .executeTakeFirst());
    if (!run) throw new BronError("not_found", `Run ${runId} not found.`);
    const file = toArtifact(row, row.digest);
    if (!(await appendAndWake(ownerId, runId, [{ type: "artifact", payload: file }])))
      throw requestError("conflict", { code: "attached_too_late" });
    await insertArtifacts(inside, { ownerId, runId }, [file]);
    await assignUploads(inside, [uploadId], runId);
    return toUploadView({ ...row, run_id: runId });
  });
}

/** Serialized, so that two uploads cannot both take the last free space. */
async function checkQuota(
  db: Kysely<Database>,
  {
    ownerId,
    sizeBytes,
    quota: { ownerBytes, allBytes },
  }: { readonly ownerId: string; readonly sizeBytes: number; readonly quota: UploadQuota },
): Promise<void> {
  if (ownerBytes === 0 && allBytes === 0) return;
  await sql`select pg_advisory_xact_lock(hashtextextended('bron.uploads', 0))`.execute(db);
  const { rows } = await sql<{ own: number; all: number }>`
    select coalesce(sum(size_bytes) filter (where owner_id = ${ownerId}), 0)::float8 as own, coalesce(sum(size_bytes), 0)::float8 as all
    from uploads where run_id is null and (digest is not null or expires_at > clock_timestamp())`.execute(
    db,
  );
  const { own = 0, all = 0 } = rows[0] ?? {};
  if (ownerBytes > 0 && own + sizeBytes > ownerBytes)
    throw requestError("upload_quota", {
      code: "quota_used",
      usedBytes: own,
      limitBytes: ownerBytes,
    });
  if (allBytes > 0 && all + sizeBytes > allBytes)
    throw requestError("upload_quota", { code: "quota_used_by_all" });
}

const removalBatchSize = 100;

async function removeOld(db: Kysely<Database>, blobs: Blobs, olderThanMs: number): Promise<number> {
  const { rows } = await sql<{ owner_id: string; digest: string | null }>`
    delete from uploads where id in (
      select u.id from uploads u
      where u.run_id is null and u.created_at < clock_timestamp() - ${olderThanMs}::float8 * interval '1 millisecond'
        and not exists (select from blobs b where b.owner_id = u.owner_id and b.digest = u.digest and b.kept_at >= clock_timestamp() - interval '1 hour')
      order by u.created_at limit ${removalBatchSize} for update skip locked)
    returning owner_id, digest`.execute(db);
  const digests = new Map(
    rows.flatMap(({ owner_id: ownerId, digest }) =>
      digest === null ? [] : [[JSON.stringify([ownerId, digest]), { ownerId, digest }] as const],
    ),
  );
  for (const { ownerId, digest } of digests.values()) await blobs.removeUnused(db, ownerId, digest);
  return rows.length;
}

/** Returns and locks the files of a new run, in the order of its request. */
export async function lockFiles(
  db: Kysely<Database>,
  { ownerId, input, retry }: NewRun,
): Promise<ArtifactPayload[]> {
  const ids = uploadIdsOf(input);
  const rows = await lockUploads(db, ownerId, ids);
  const files = ids.map((id) => {
    const row = rows.find((candidate) => candidate.id === id);
    if (!row || row.digest === null) throw uploadNotFound(id);
    if (row.run_id !== null) throw alreadyAttached(row);
    return toArtifact(row, row.digest);
  });
  return retry ? [...files, ...(await uploadedFiles(db, ownerId, retry.runId))] : files;
}

/** The uploaded files of a run, which a retry reuses. */
async function uploadedFiles(
  db: Kysely<Database>,
  ownerId: string,
  runId: string,
): Promise<ArtifactPayload[]> {
  const rows = await db
    .selectFrom("artifacts")
    .selectAll()
    .where("run_id", "=", runId)
    .where("owner_id", "=", ownerId)
    .where("kind", "=", uploadKind)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map(({ kind, name, media_type: mediaType, digest, size_bytes: sizeBytes }) => ({
    artifactId: randomUUID(),
    kind,
    name,
    mediaType,
    digest,
    sizeBytes,
  }));
}

/** Writes the artifact rows of a new run and attaches its uploads. */
export async function attachFiles(
  db: Kysely<Database>,
  { run, runId }: { readonly run: NewRun; readonly runId: string },
  files: readonly ArtifactPayload[],
): Promise<void> {
  if (files.length === 0) return;
  await insertArtifacts(db, { ownerId: run.ownerId, runId }, files);
  await assignUploads(db, uploadIdsOf(run.input), runId);
}

function uploadIdsOf({ uploadIds = [] }: NewRun["input"]): string[] {
  return [...new Set(uploadIds.map((id) => id.toLowerCase()))];
}

/** Locks in the order of IDs to avoid deadlocks. */
async function lockUploads(
  db: Kysely<Database>,
  ownerId: string,
  ids: readonly string[],
): Promise<UploadRow[]> {
  const validIds = ids.filter(isUuid);
  return validIds.length === 0
    ? []
    : await db
        .selectFrom("uploads")
        .selectAll()
        .where("id", "in", validIds)
        .where("owner_id", "=", ownerId)
        .orderBy("id")
        .forUpdate()
        .execute();
}

async function insertArtifacts(
  db: Kysely<Database>,
  { ownerId, runId }: { readonly ownerId: string; readonly runId: string },
  files: readonly ArtifactPayload[],
): Promise<void> {
  const rows = files.map(({ artifactId, kind, name, mediaType, digest, sizeBytes }, index) => ({
    id: artifactId,
    run_id: runId,
    owner_id: ownerId,
    kind,
    name,
    media_type: mediaType,
    digest,
    size_bytes: sizeBytes,
    blob_url: null,
    // Microseconds keep the order of the request.
    created_at: sql<Date>`now() + ${index}::int * interval '1 microsecond'`,
  }));
  await db.insertInto("artifacts").values(rows).execute();
}

async function assignUploads(
  db: Kysely<Database>,
  ids: readonly string[],
  runId: string,
): Promise<void> {
  if (ids.length > 0)
    await db.updateTable("uploads").set({ run_id: runId }).where("id", "in", ids).execute();
}

function toArtifact(
  { filename, content_type: mediaType, size_bytes: sizeBytes }: UploadRow,
  digest: string,
): ArtifactPayload {
  return {
    artifactId: randomUUID(),
    kind: uploadKind,
    name: filename,
    mediaType,
    digest,
    sizeBytes,
  };
}

function uploadNotFound(uploadId: string): BronError {
  return requestError("not_found", { code: "upload_missing", uploadId });
}

function alreadyUploaded(): BronError {
  return requestError("conflict", { code: "upload_done" });
}

function alreadyAttached({ filename }: UploadRow): BronError {
  return requestError("conflict", { code: "upload_attached", filename });
}
