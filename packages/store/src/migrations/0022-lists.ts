import { sql, type Kysely } from "kysely";

/** Indexes for lists whose cost must not grow with the number of runs that an owner ever had. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

// Postgres updates a row in place only if no indexed column changes, including those of partial
// indexes. An append changes `status` at every step, so `status` has no index. `finished_at` and
// `final_status` change once, when the run ends.
const statements = [
  `alter table runs add column final_status text`,
  `update runs set final_status = status where finished_at is not null`,
  `create index runs_under_way on runs (owner_id, created_at desc, id desc) where finished_at is null`,
  `create index runs_over on runs (owner_id, final_status, created_at desc, id desc) where final_status is not null`,
  `create index approvals_by_owner on approvals (owner_id, created_at, id)`,
];
