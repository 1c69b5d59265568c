import { childRunReport, childRunUpkeep, reportedStatusOf, type ReportedStatus } from "@bron/core";
import type { RunOutcome, RunStatus, RunView } from "@bron/protocol";
import type { OpenDatabase } from "../database/database.ts";
import { cancelTree } from "./cancel-runs.ts";
import type { WakeWriter } from "./wake.ts";
import type pg from "pg";

/**
 * Reports the status of child runs to their parents, and cancels child runs whose parent has ended.
 * Returns how many of them had news.
 */
export async function notifyParents(
  { pool, db }: Pick<OpenDatabase, "pool" | "db">,
  writer: WakeWriter,
  only: readonly string[] | undefined,
): Promise<number> {
  let notified = 0;
  for (;;) {
    const before = notified;
    const children = await findUnreported(pool, only);
    for (const child of children) {
      const { id, ownerId, parentRunId, status } = child;
      const upkeep = childRunUpkeep(child);
      if (upkeep === "nothing") continue;
      notified++;
      if (upkeep === "cancel") {
        await writer.transaction((transaction) =>
          cancelTree(transaction, id, { ownerId, cause: "parent_ended" }),
        );
        continue;
      }
      // Append first, then mark as reported. A crash in between reports the status twice.
      await writer.transaction((transaction) =>
        transaction.appendAndWake(ownerId, parentRunId, [childRunReport(child)]),
      );
      await db
        .updateTable("runs")
        .set({ reported_status: reportedStatusOf(status) })
        .where("id", "=", id)
        .where("owner_id", "=", ownerId)
        .execute();
    }
    if (children.length < batchSize || notified === before) return notified;
  }
}

const batchSize = 50;

interface UnreportedChild {
  readonly id: string;
  readonly ownerId: string;
  readonly parentRunId: string;
  readonly title: string;
  readonly status: RunStatus;
  readonly error: RunView["error"];
  readonly notDone: number;
  readonly outcome: RunOutcome | null;
  readonly cancelRequested: boolean;
  readonly parentStatus: RunStatus;
  readonly reported: ReportedStatus;
}

/**
 * Finds the child runs for which `childRunUpkeep` has something to do. The conditions repeat its
 * rule, so that an index finds them.
 */
async function findUnreported(
  pool: pg.Pool,
  only: readonly string[] | undefined,
): Promise<UnreportedChild[]> {
  const { rows } = await pool.query<UnreportedChild>({
    name: "bron-unreported-children-3",
    text: `
      select c.id, c.owner_id as "ownerId", c.parent_run_id as "parentRunId", c.title, c.status, c.error, c.not_done as "notDone", c.outcome,
        c.cancel_requested_at is not null as "cancelRequested", p.status as "parentStatus", c.reported_status as reported
      from runs c join runs p on p.id = c.parent_run_id
      where c.parent_run_id is not null and c.reported_status <> 'over' and ($1::uuid[] is null or p.id = any($1) or c.id = any($1))
        and case when p.finished_at is not null and c.finished_at is null then c.cancel_requested_at is null else c.reported_status <> ${currentStatus} end
      order by c.finished_at limit ${batchSize}`,
    values: [only ?? null],
  });
  return rows;
}

const currentStatus =
  "case when c.finished_at is not null then 'over' when c.status in ('awaiting_confirmation', 'awaiting_auth') then 'waiting' else 'running' end";
