import { BronError, cleanText, type NewRun, type Uploads, type UploadQuota } from "@bron/core";
import { uploadKind, type EventPayloads } from "@bron/protocol";
import { sql, type Kysely, type Selectable } from "kysely";
import { randomUUID } from "node:crypto";
import type pg from "pg";
import type { Blobs } from "./blobs.ts";
import { inTransaction } from "./database.ts";
import { toUploadView } from "./rows.ts";
import type { Database } from "./schema.ts";
import { isUuid } from "./uuid.ts";
import type { WakeWriter } from "./wake.ts";

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
        // What was announced and never came makes room.
        const { rows } = await sql<UploadRow & { expires_at: Date }>`
          with owner as (insert into owners (id) values (${ownerId}) on conflict do nothing),
          gone as (delete from uploads where owner_id = ${ownerId} and digest is null and expires_at < clock_timestamp() - interval '1 hour')
          insert into uploads (id, owner_id, filename, content_type, size_bytes, expires_at)
          values (${randomUUID()}, ${ownerId}, ${cleanText(filename)}, ${contentType}, ${sizeBytes}, clock_timestamp() + ${ttlMs}::bigint * interval '1 millisecond') returning *`.execute(
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
      const kept = await db
        .updateTable("uploads")
        .set({ digest })
        .where("id", "=", uploadId)
        .where("owner_id", "=", ownerId)
        .where("digest", "is", null)
        .returningAll()
        .executeTakeFirst();
      if (!kept) throw hasItsBytes();
      return toUploadView(kept);
    },

    async attach(ownerId, uploadId, runId) {
      return await writer.transaction(async ({ db: inside, appendAndWake }) => {
        const [row] = await lockUploads(inside, ownerId, [uploadId]);
        if (!row) throw notThere(uploadId);
        if (row.digest === null)
          throw new BronError("conflict", "This file hasn't been uploaded yet.");
        if (row.run_id === runId.toLowerCase()) return toUploadView(row);
        if (row.run_id !== null) throw inUse(row);
        const run =
          isUuid(runId) &&
          (await inside
            .selectFrom("runs")
            .select("id")
            .where("id", "=", runId)
            .where("owner_id", "=", ownerId)
            .executeTakeFirst());
        if (!run) throw new BronError("not_found", `Run ${runId} not found.`);
        const file = artifactOf(row, row.digest);
        if (!(await appendAndWake(ownerId, runId, [{ type: "artifact", payload: file }])))
          throw new BronError("conflict", "This task has ended. Start a new one to attach files.");
        await writeFiles(inside, { ownerId, runId }, [file]);
        await takeUploads(inside, [uploadId], runId);
        return toUploadView({ ...row, run_id: runId });
      });
    },

    removeUnattached: (olderThanMs) =>
      inTransaction(pool, ({ db: inside }) => removeOld(inside, blobs, olderThanMs)),
  };
}

/** One announcement after the other, so that two do not both take the last room. */
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
    throw new BronError(
      "upload_quota",
      `Your unattached files use ${own} bytes. This file would exceed the limit of ${ownerBytes} bytes.`,
    );
  if (allBytes > 0 && all + sizeBytes > allBytes)
    throw new BronError(
      "upload_quota",
      "There is no room left for unattached files on this server.",
    );
}

const removedAtOnce = 100;

async function removeOld(db: Kysely<Database>, blobs: Blobs, olderThanMs: number): Promise<number> {
  const { rows } = await sql<{ owner_id: string; digest: string | null }>`
    delete from uploads where id in (
      select u.id from uploads u
      where u.run_id is null and u.created_at < clock_timestamp() - ${olderThanMs}::float8 * interval '1 millisecond'
        and not exists (select from blobs b where b.owner_id = u.owner_id and b.digest = u.digest and b.kept_at >= clock_timestamp() - interval '1 hour')
      order by u.created_at limit ${removedAtOnce} for update skip locked)
    returning owner_id, digest`.execute(db);
  const kept = new Map(
    rows.flatMap(({ owner_id: ownerId, digest }) =>
      digest === null ? [] : [[JSON.stringify([ownerId, digest]), { ownerId, digest }] as const],
    ),
  );
  for (const { ownerId, digest } of kept.values()) await blobs.removeUnused(db, ownerId, digest);
  return rows.length;
}

/** The files of a run that is about to be made, in the order of its request; locked until then. */
export async function filesFor(
  db: Kysely<Database>,
  { ownerId, input, retry }: NewRun,
): Promise<ArtifactPayload[]> {
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
async function filesOf(
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

/** The rows of files whose events are in the log of a run, and the run of their uploads. */
export async function keepFiles(
  db: Kysely<Database>,
  { run, runId }: { readonly run: NewRun; readonly runId: string },
  files: readonly ArtifactPayload[],
): Promise<void> {
  if (files.length === 0) return;
  await writeFiles(db, { ownerId: run.ownerId, runId }, files);
  await takeUploads(db, uploadIdsOf(run.input), runId);
}

function uploadIdsOf({ uploadIds = [] }: NewRun["input"]): string[] {
  return [...new Set(uploadIds.map((id) => id.toLowerCase()))];
}

/** Always in the order of their ids, so that nobody waits in a circle. */
async function lockUploads(
  db: Kysely<Database>,
  ownerId: string,
  ids: readonly string[],
): Promise<UploadRow[]> {
  const known = ids.filter(isUuid);
  return known.length === 0
    ? []
    : await db
        .selectFrom("uploads")
        .selectAll()
        .where("id", "in", known)
        .where("owner_id", "=", ownerId)
        .orderBy("id")
        .forUpdate()
        .execute();
}

async function writeFiles(
  db: Kysely<Database>,
  { ownerId, runId }: { readonly ownerId: string; readonly runId: string },
  files: readonly ArtifactPayload[],
): Promise<void> {
  const rows = files.map(({ artifactId, kind, name, mediaType, digest, sizeBytes }) => ({
    id: artifactId,
    run_id: runId,
    owner_id: ownerId,
    kind,
    name,
    media_type: mediaType,
    digest,
    size_bytes: sizeBytes,
    blob_url: null,
  }));
  await db.insertInto("artifacts").values(rows).execute();
}

async function takeUploads(
  db: Kysely<Database>,
  ids: readonly string[],
  runId: string,
): Promise<void> {
  if (ids.length > 0)
    await db.updateTable("uploads").set({ run_id: runId }).where("id", "in", ids).execute();
}

function artifactOf(
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

function notThere(uploadId: string): BronError {
  return new BronError("not_found", `Upload ${uploadId} not found, or its file is missing.`);
}

function hasItsBytes(): BronError {
  return new BronError("conflict", "This file was already uploaded.");
}

function inUse({ filename }: UploadRow): BronError {
  return new BronError("conflict", `${filename} is already attached to another task.`);
}
