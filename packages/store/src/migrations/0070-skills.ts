import { sql, type Kysely } from "kysely";

/**
 * Skills, and each version of them under its digest. Versions stay for the runs that pinned them. The
 * skills of a Bron are null if it has all accepted ones.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table skill_versions (
      owner_id text not null references owners (id),
      digest text not null,
      version jsonb not null,
      texts text not null,
      created_at timestamptz not null default clock_timestamp(),
      primary key (owner_id, digest)
    )
  `.execute(db);
  await sql`
    create table skills (
      owner_id text not null references owners (id),
      name text not null,
      accepted_digest text,
      accepted_source text,
      accepted_place text,
      accepted_at timestamptz,
      proposed_digest text,
      proposed_source text,
      proposed_place text,
      created_at timestamptz not null default clock_timestamp(),
      primary key (owner_id, name),
      foreign key (owner_id, accepted_digest) references skill_versions (owner_id, digest),
      foreign key (owner_id, proposed_digest) references skill_versions (owner_id, digest),
      check (accepted_digest is not null or proposed_digest is not null)
    )
  `.execute(db);
  await sql`alter table brons add column skills text[]`.execute(db);
}
