import {
  BronError,
  drawAmount,
  findBudgetRefusal,
  type AppendRequest,
  type AppendResult,
  type CapUse,
} from "@bron/core";
import type pg from "pg";
import { appendSingle, findRejection } from "./append-queue.ts";
import type { AppendStatements } from "./append-statement.ts";
import { capUseColumns, toCapUse, type CapUseRow } from "./cap-use-row.ts";
import { drawFromBudget, lockOwner } from "./draw-from-owner.ts";
import { inTransaction } from "../database/database.ts";

/**
 * Whether an append takes money or steps from caps in other rows, or returns money to them. Other
 * appends change only the row of their own run, and can share a statement.
 */
export function changesOtherRows({ draw, release, lease }: AppendRequest): boolean {
  if (draw && (draw.needMicrousd > 0 || draw.settledMicrousd !== undefined)) return true;
  return lease.cappedAncestors.length > 0 && (draw?.steps !== undefined || release === "end");
}

/**
 * Appends, and takes what `draw` says from every cap, or does neither. In a tree it locks runs in
 * the order of their ids, like a cancellation, and then the owner, so that none of them can
 * deadlock. A run outside of a tree locks only the owner before its append: heartbeats wait for the
 * lock of a run, and the owner's row may be busy. The locks leave the keys free, because an insert
 * of a row that refers to a run or an owner locks their keys, in no order.
 */
export async function appendWithCaps(
  { pool, statements }: { readonly pool: pg.Pool; readonly statements: AppendStatements },
  request: AppendRequest,
): Promise<AppendResult> {
  let rejection: AppendResult = { ok: false, reason: "lost" };
  try {
    return await inTransaction(pool, async ({ client }) => {
      const taken = await takeDraw(client, request);
      const result = taken.ok
        ? await appendSingle(client, statements, { request, drawn: taken.amount })
        : taken;
      if (result.ok) return result;
      rejection = result;
      throw rollback;
    });
  } catch (error) {
    if (error === rollback) return rejection;
    throw error;
  }
}

/** Thrown to roll back a draw whose append was rejected. */
const rollback = new BronError("conflict", "refused");

type Taken =
  | { readonly ok: true; readonly amount: number }
  | Extract<AppendResult, { readonly ok: false }>;

async function takeDraw(client: pg.PoolClient, request: AppendRequest): Promise<Taken> {
  const { lease, draw, chargedMicrousd } = request;
  const { runId, ownerId, cappedAncestors } = lease;
  const isInTree = draw?.isInTree === true || cappedAncestors.length > 0;
  const rows = isInTree ? await lockRuns(client, ownerId, [runId, ...cappedAncestors]) : [];
  if (!draw) return { ok: true, amount: 0 };
  const own = rows.find(({ id }) => id === runId);
  const above = rows.filter(({ id }) => id !== runId);
  const drawsFromOwner = draw.needMicrousd > 0 || draw.settledMicrousd !== undefined;
  const owner = drawsFromOwner ? await lockOwner(client, ownerId) : undefined;
  const verdict = findBudgetRefusal({
    draw,
    own: own
      ? { ...toCapUse(own), chargedMicrousd: chargedMicrousd ?? own.spent_microusd }
      : uncapped,
    above: above.map(toCapUse),
    ownerLeftMicrousd: leftOf(owner),
  });
  const why = verdict.ok ? owner && (await drawFromBudget(client, request, owner)) : verdict.why;
  if (!verdict.ok || why) {
    const other = await findRejection(client, request);
    return other.reason === "approval" && why ? { ok: false, reason: "budget", why } : other;
  }
  const amount = drawAmount(draw, verdict.leftMicrousd);
  await client.query({
    name: "bron-draw-1",
    text: `
      with above as (update runs set tree_drawn_microusd = tree_drawn_microusd + $2, tree_steps = tree_steps + $3 where id = any($1::uuid[]))
      update owners set drawn_microusd = drawn_microusd + $2 where id = $4 and $2 <> 0`,
    values: [above.map(({ id }) => id), amount, draw.steps === undefined ? 0 : 1, ownerId],
  });
  return { ok: true, amount };
}

/** The statement of the append checks the caps of the run itself too. */
const uncapped: CapUse = {
  caps: {},
  chargedMicrousd: 0,
  steps: 0,
  treeDrawnMicrousd: 0,
  treeSteps: 0,
};

async function lockRuns(
  client: pg.PoolClient,
  ownerId: string,
  runIds: readonly string[],
): Promise<(CapUseRow & { readonly id: string })[]> {
  const { rows } = await client.query<CapUseRow & { readonly id: string }>({
    name: "bron-lock-caps-2",
    text: `
      select id, ${capUseColumns} from runs
      where id = any($1::uuid[]) and owner_id = $2 order by id for no key update`,
    values: [runIds, ownerId],
  });
  return rows;
}

/** What is left of the owner's cap. */
function leftOf(owner: Awaited<ReturnType<typeof lockOwner>>): number {
  return owner && owner.cap_microusd !== null
    ? owner.cap_microusd - owner.drawn_microusd
    : Number.POSITIVE_INFINITY;
}
