import {
  drawForDay,
  findOwnerRefusal,
  type AppendRequest,
  type BudgetRefusal,
  type OwnerBudgetUse,
} from "@bron/core";
import type pg from "pg";

interface OwnerRow {
  readonly cap_microusd: number | null;
  readonly drawn_microusd: number;
  readonly day_cap_microusd: number | null;
  readonly month_cap_microusd: number | null;
  readonly today: string;
}

/** Locks an owner's row, so that draws come one after the other. Undefined if there is none. */
export async function lockOwner(
  client: pg.PoolClient,
  ownerId: string,
): Promise<OwnerRow | undefined> {
  const { rows } = await client.query<OwnerRow>({
    name: "bron-lock-owner-2",
    text: `select cap_microusd, drawn_microusd, day_cap_microusd, month_cap_microusd,
      to_char(clock_timestamp() at time zone zone, 'YYYY-MM-DD') as today from owners where id = $1 for no key update`,
    values: [ownerId],
  });
  return rows[0];
}

/**
 * Takes what a model call needs from the owner's budget of today. The caller has locked the owner,
 * and rolls back if the call is refused.
 */
export async function drawFromBudget(
  client: pg.PoolClient,
  { lease, draw, chargedMicrousd }: AppendRequest,
  owner: OwnerRow,
): Promise<BudgetRefusal | undefined> {
  if (draw?.settledMicrousd === undefined || chargedMicrousd === undefined) return undefined;
  if (owner.day_cap_microusd === null && owner.month_cap_microusd === null) return undefined;
  const { rows } = await client.query<RunRow>({
    name: "bron-day-use-1",
    text: `select spent_microusd, to_char(drawn_day, 'YYYY-MM-DD') as drawn_day, day_drawn_microusd, day_base_microusd from runs
      where id = $1 and owner_id = $2`,
    values: [lease.runId, lease.ownerId],
  });
  const [run] = rows;
  if (!run) return undefined;
  const { returned, needMicrousd, use } = drawForDay({
    use: {
      day: run.drawn_day,
      drawnMicrousd: run.day_drawn_microusd,
      baseMicrousd: run.day_base_microusd,
    },
    today: owner.today,
    beforeMicrousd: run.spent_microusd,
    afterMicrousd: chargedMicrousd,
    settledMicrousd: draw.settledMicrousd,
  });
  if (returned && returned.microusd > 0)
    await addToDay(client, { ownerId: lease.ownerId, ...returned, microusd: -returned.microusd });
  const refusal = findOwnerRefusal(await readUse(client, lease.ownerId, owner), needMicrousd);
  if (refusal) return refusal;
  if (needMicrousd > 0)
    await addToDay(client, { ownerId: lease.ownerId, day: owner.today, microusd: needMicrousd });
  await client.query({
    name: "bron-set-day-use-1",
    text: `update runs set drawn_day = $2, day_drawn_microusd = $3, day_base_microusd = $4 where id = $1`,
    values: [lease.runId, use.day, use.drawnMicrousd, use.baseMicrousd],
  });
  return undefined;
}

interface RunRow {
  readonly spent_microusd: number;
  readonly drawn_day: string | null;
  readonly day_drawn_microusd: number;
  readonly day_base_microusd: number;
}

/** What was drawn today and in this month. */
export async function readUse(
  client: Pick<pg.PoolClient, "query">,
  ownerId: string,
  owner: Pick<OwnerRow, "day_cap_microusd" | "month_cap_microusd" | "today">,
): Promise<OwnerBudgetUse> {
  const { rows } = await client.query<{ day: number; month: number }>({
    name: "bron-owner-use-1",
    text: `select coalesce(sum(drawn_microusd) filter (where day = $2::date), 0)::bigint as day, coalesce(sum(drawn_microusd), 0)::bigint as month
      from owner_spending where owner_id = $1 and day >= date_trunc('month', $2::date)::date and day < (date_trunc('month', $2::date) + interval '1 month')::date`,
    values: [ownerId, owner.today],
  });
  return {
    dayCapMicrousd: owner.day_cap_microusd,
    monthCapMicrousd: owner.month_cap_microusd,
    dayMicrousd: rows[0]?.day ?? 0,
    monthMicrousd: rows[0]?.month ?? 0,
  };
}

async function addToDay(
  client: pg.PoolClient,
  { ownerId, day, microusd }: { readonly ownerId: string; readonly day: string; microusd: number },
): Promise<void> {
  await client.query({
    name: "bron-add-to-day-1",
    text: `insert into owner_spending as s (owner_id, day, drawn_microusd) values ($1, $2, greatest(0, $3))
      on conflict (owner_id, day) do update set drawn_microusd = greatest(0, s.drawn_microusd + $3)`,
    values: [ownerId, day, microusd],
  });
}
