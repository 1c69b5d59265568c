import { sql, type Kysely } from "kysely";
import type { Blobs } from "./blobs.ts";
import type { Database } from "../database/schema.ts";

/** Remembers the content of these runs, so that it is removed if nothing else uses it. */
export async function addRemovableBlobs(
  db: Kysely<Database>,
  runIds: readonly string[],
): Promise<void> {
  await sql`
    insert into removable_blobs (owner_id, digest)
    select owner_id, digest from artifacts where run_id = any(${runIds}::uuid[])
    union select owner_id, digest from uploads where run_id = any(${runIds}::uuid[]) and digest is not null
    on conflict do nothing`.execute(db);
}

const batchSize = 100;

/**
 * Removes remembered content that nothing uses. Content that was stored within the last hour waits,
 * because an artifact that is about to be written may use it.
 */
export async function removeBlobs(db: Kysely<Database>, blobs: Blobs): Promise<number> {
  const { rows } = await sql<{ owner_id: string; digest: string }>`
    delete from removable_blobs where (owner_id, digest) in (
      select r.owner_id, r.digest from removable_blobs r
      where not exists (select from blobs b where b.owner_id = r.owner_id and b.digest = r.digest and b.kept_at >= clock_timestamp() - interval '1 hour')
      order by r.owner_id, r.digest limit ${batchSize} for update skip locked)
    returning owner_id, digest`.execute(db);
  for (const { owner_id: ownerId, digest } of rows) await blobs.removeUnused(db, ownerId, digest);
  return rows.length;
}
