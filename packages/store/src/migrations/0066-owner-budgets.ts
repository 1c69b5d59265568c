import { sql, type Kysely } from "kysely";

/** Caps of an owner by day and month, and what was drawn from them on each day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table owners
     add column zone text not null default 'UTC',
     add column day_cap_microusd bigint,
     add column month_cap_microusd bigint`,
  // In the owner's zone. A month is the sum of its days.
  `create table owner_spending (
    owner_id text not null references owners (id),
    day date not null,
    drawn_microusd bigint not null default 0,
    primary key (owner_id, day)
  )`,
  `alter table runs
     add column drawn_day date,
     add column day_drawn_microusd bigint not null default 0,
     add column day_base_microusd bigint not null default 0`,
];
