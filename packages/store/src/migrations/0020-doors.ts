import { sql, type Kysely } from "kysely";

/** Adds the token that created a token, and the removal of unused uploads. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // There is no foreign key, because a token is removed together with all tokens that it created,
  // and a backup may contain the rows in any order.
  `alter table api_tokens add column made_by uuid`,
  // The time when bytes were last stored under this digest. An artifact that is about to be written
  // may still need them. The constant default avoids rewriting the rows with all their bytes.
  `alter table blobs add column kept_at timestamptz not null default now()`,
  `alter table blobs alter column kept_at set default clock_timestamp()`,
  `create index uploads_unattached on uploads (created_at) where run_id is null`,
];
