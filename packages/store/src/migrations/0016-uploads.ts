import { sql, type Kysely } from "kysely";

/**
 * Allows bytes outside of the database, at their blob's location, and lets pending uploads expire.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table blobs alter column bytes drop not null`,
  `alter table blobs add column location text`,
  `alter table blobs add constraint blobs_somewhere check (bytes is not null or location is not null)`,
  `alter table uploads add column expires_at timestamptz`,
  `alter table uploads add foreign key (owner_id, digest) references blobs`,
  `create index uploads_by_owner on uploads (owner_id)`,
];
