import { auditEntries, BronError, checkMove, moveEvent, type MovableRun } from "@bron/core";
import type { Place, RunStatus } from "@bron/protocol";
import { sql } from "kysely";
import { writeAudit } from "../tables/audit.ts";
import { toJson } from "../database/database.ts";
import type { WakingTransaction } from "./wake.ts";

interface MovedRow {
  readonly id: string;
  readonly parent_run_id: string | null;
  readonly status: RunStatus;
  readonly cancel_requested_at: Date | null;
  readonly held: boolean;
}

/**
 * Moves a run and its unfinished child runs. Locks their rows, so that no worker claims one of them
 * meanwhile and no child run is added with the old place.
 */
export async function moveRun(
  { db, appendAndWake }: WakingTransaction,
  ownerId: string,
  runId: string,
  place: Place | null,
): Promise<void> {
  const { rows } = await sql<MovedRow>`
    with recursive tree as (
      select id from runs where id = ${runId} and owner_id = ${ownerId}
      union all select r.id from runs r join tree t on r.parent_run_id = t.id where r.owner_id = ${ownerId}
    )
    select id, parent_run_id, status, cancel_requested_at, lease_owner is not null and lease_until >= clock_timestamp() as held
    from runs where id in (select id from tree) and (finished_at is null or id = ${runId}) order by id for no key update`.execute(
    db,
  );
  const root = rows.find(({ id }) => id === runId.toLowerCase());
  if (!root) throw new BronError("not_found", `Run ${runId} not found.`);
  const below = rows.filter((row) => row !== root);
  checkMove(toMovable(root), below.map(toMovable));
  const event = moveEvent(ownerId, place);
  for (const { id } of rows) {
    await sql`update runs set place = ${place === null ? null : toJson(place)}::jsonb where id = ${id}`.execute(
      db,
    );
    await appendAndWake(ownerId, id, [event]);
    await writeAudit(
      db,
      ownerId,
      auditEntries([event]).map((entry) => ({ ...entry, runId: id })),
    );
  }
}

const toMovable = (row: MovedRow): MovableRun => ({
  parentRunId: row.parent_run_id,
  status: row.status,
  cancelRequested: row.cancel_requested_at !== null,
  isHeld: row.held,
});
