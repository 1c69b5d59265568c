import { sql, type Kysely } from "kysely";

/** Who wrote the persona of a Bron. Personas from before count as typed by the owner. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table brons add column persona_source text not null default 'typed'
      check (persona_source in ('typed', 'template', 'imported'))
  `.execute(db);
}
