import { sql, type Kysely } from "kysely";

/** Runs below a run draw from its caps on money and steps. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table runs
     add column steps int not null default 0,
     add column capped_ancestors uuid[] not null default '{}',
     add column tree_drawn_microusd bigint not null default 0,
     add column tree_steps int not null default 0`,
];
