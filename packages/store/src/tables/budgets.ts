import { requireZone, type Budgets, type OwnerBudget } from "@bron/core";
import type { BudgetView } from "@bron/protocol";
import { inTransaction, type OpenDatabase, type Transaction } from "../database/database.ts";
import { lockOwner, readUse } from "../log/draw-from-owner.ts";
import { writeAudit } from "./audit.ts";

export function postgresBudgets({ pool, db }: Pick<OpenDatabase, "pool" | "db">): Budgets {
  return {
    async setOwnerCap(ownerId, capMicrousd) {
      await db
        .insertInto("owners")
        .values({ id: ownerId, cap_microusd: capMicrousd })
        .onConflict((conflict) => conflict.column("id").doUpdateSet({ cap_microusd: capMicrousd }))
        .execute();
    },

    async ownerSpending(ownerId) {
      const row = await db
        .selectFrom("owners")
        .select(["cap_microusd", "drawn_microusd"])
        .where("id", "=", ownerId)
        .executeTakeFirst();
      return { capMicrousd: row?.cap_microusd ?? null, drawnMicrousd: row?.drawn_microusd ?? 0 };
    },

    async setBudget(ownerId, budget) {
      requireZone(budget.zone);
      await retryDeadlocks(() =>
        inTransaction(pool, (transaction) => setBudget(transaction, ownerId, budget)),
      );
    },

    async budget(ownerId): Promise<BudgetView> {
      const { rows } = await pool.query<BudgetRow>(
        `select zone, day_cap_microusd, month_cap_microusd, to_char(clock_timestamp() at time zone zone, 'YYYY-MM-DD') as today,
           (date_trunc('day', clock_timestamp() at time zone zone) + interval '1 day') at time zone zone as day_ends_at,
           (date_trunc('month', clock_timestamp() at time zone zone) + interval '1 month') at time zone zone as month_ends_at
         from (select $1 as id) me left join lateral (
           select zone, day_cap_microusd, month_cap_microusd from owners where owners.id = me.id
           union all select 'UTC', null, null limit 1
         ) o on true`,
        [ownerId],
      );
      const row = rows[0]!;
      return {
        zone: row.zone,
        ...(await readUse(pool, ownerId, row)),
        dayEndsAt: row.day_ends_at.toISOString(),
        monthEndsAt: row.month_ends_at.toISOString(),
      };
    },
  };
}

const maxAttempts = 5;

/** A call of a tree locks its runs before the owner, and this locks them after it. */
async function retryDeadlocks(work: () => Promise<void>, attempt = 1): Promise<void> {
  try {
    await work();
  } catch (error) {
    if ((error as { code?: unknown }).code !== "40P01" || attempt === maxAttempts) throw error;
    await retryDeadlocks(work, attempt + 1);
  }
}

interface BudgetRow {
  readonly zone: string;
  readonly day_cap_microusd: number | null;
  readonly month_cap_microusd: number | null;
  readonly today: string;
  readonly day_ends_at: Date;
  readonly month_ends_at: Date;
}

async function setBudget(
  { client, db }: Transaction,
  ownerId: string,
  { zone, dayCapMicrousd, monthCapMicrousd }: OwnerBudget,
): Promise<void> {
  await client.query("insert into owners (id) values ($1) on conflict do nothing", [ownerId]);
  const before = await lockOwner(client, ownerId);
  await client.query(
    "update owners set zone = $2, day_cap_microusd = $3, month_cap_microusd = $4 where id = $1",
    [ownerId, zone, dayCapMicrousd, monthCapMicrousd],
  );
  const isFirst = before?.day_cap_microusd === null && before.month_cap_microusd === null;
  if (isFirst && (dayCapMicrousd !== null || monthCapMicrousd !== null))
    await countMonth(client, ownerId);
  await writeAudit(db, ownerId, [
    {
      what: "budget.changed",
      by: "owner",
      details: { zone, dayCapMicrousd, monthCapMicrousd },
    },
  ]);
}

/**
 * Counts what this month's runs have cost until now: those that ended on the day on which they were
 * created, the others today. Without caps nothing is drawn.
 */
async function countMonth(client: Transaction["client"], ownerId: string): Promise<void> {
  await client.query("delete from owner_spending where owner_id = $1", [ownerId]);
  // An append that started before waits for these rows, and finds the new numbers.
  await client.query(
    `update runs r set drawn_day = (clock_timestamp() at time zone o.zone)::date, day_drawn_microusd = r.spent_microusd, day_base_microusd = 0
     from owners o where o.id = r.owner_id and r.owner_id = $1 and r.finished_at is null`,
    [ownerId],
  );
  await client.query(
    `insert into owner_spending (owner_id, day, drawn_microusd)
     select r.owner_id, case when r.finished_at is null then r.drawn_day else (r.created_at at time zone o.zone)::date end as day, sum(r.spent_microusd)
     from runs r join owners o on o.id = r.owner_id
     where r.owner_id = $1 and (r.finished_at is null
       or r.created_at >= date_trunc('month', clock_timestamp() at time zone o.zone) at time zone o.zone)
     group by 1, 2`,
    [ownerId],
  );
}
