import type { ClaimResult, Lease, RunHeader, RunLog } from "@bron/core";
import { logVersion, type RunEvent } from "@bron/protocol";
import { sql } from "kysely";
import { createAppendQueue } from "./append-queue.ts";
import { createAppendStatements } from "./append-statement.ts";
import { appendWithCaps, changesOtherRows } from "./append-with-caps.ts";
import type { OpenDatabase } from "../database/database.ts";
import { readLog, toRunEvents, type LogRow } from "./log-rows.ts";
import { takeRunnable } from "../runs/sweep.ts";

export function postgresRunLog({
  pool,
  heartbeats,
  db,
}: Pick<OpenDatabase, "pool" | "heartbeats" | "db">): RunLog {
  const statements = createAppendStatements();
  const queue = createAppendQueue(pool, statements);
  return {
    async claim(request) {
      const { runId, worker, leaseMs, takeOverUntil, serves, maxPerOwner, maxInAll } = request;
      const { rows } = await pool.query<ClaimRow>({
        ...claimStatement,
        values: [
          runId,
          worker,
          leaseMs,
          new Date(takeOverUntil),
          maxPerOwner,
          maxInAll,
          logVersion,
          serves,
        ],
      });
      return toClaim(rows, { runId, worker });
    },

    read: (lease, afterSeq) => readLog(pool, { ...lease, afterSeq }),

    takeRunnable: (request) => takeRunnable(pool, request),

    async append(request) {
      return changesOtherRows(request)
        ? await appendWithCaps({ pool, statements }, request)
        : await queue.append(request);
    },

    async release(lease, { delayMs, keepCount }) {
      const { numUpdatedRows } = await db
        .updateTable("runs")
        .set((eb) => ({
          lease_owner: null,
          lease_until: null,
          wake_at: sql<Date>`clock_timestamp() + ${delayMs} * interval '1 millisecond'`,
          ...(keepCount
            ? {}
            : { claims: eb.fn<number>("greatest", [eb("claims", "-", 1), eb.lit(0)]) }),
        }))
        .where("id", "=", lease.runId)
        .where("owner_id", "=", lease.ownerId)
        .where("lease_owner", "=", lease.worker)
        .where("lease_epoch", "=", lease.epoch)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async renew(worker, leases, leaseMs) {
      const renewLeases = async (batch: readonly Lease[], statement: typeof renewUnlocked) => {
        const { rows } = await heartbeats.query<{ kept: KeptLease[]; database_now: Date }>({
          ...statement,
          values: [
            batch.map((lease) => lease.runId),
            batch.map((lease) => lease.epoch),
            leaseMs,
            worker,
          ],
        });
        return { kept: rows[0]?.kept ?? [], databaseNow: rows[0]?.database_now.getTime() ?? 0 };
      };
      const { kept, databaseNow } = await renewLeases(leases, renewUnlocked);
      const renewed = new Set(kept.map(({ runId }) => runId));
      // The lease was lost, or its row was locked. A renewal of a single lease can wait, because it
      // holds no other lock.
      const renewedLater: KeptLease[] = [];
      for (const lease of leases)
        if (!renewed.has(lease.runId))
          renewedLater.push(...(await renewLeases([lease], renewWaiting)).kept);
      return { kept: [...kept, ...renewedLater], databaseNow };
    },
  };
}

type KeptLease = Awaited<ReturnType<RunLog["renew"]>>["kept"][number];

const renewUnlocked = renewStatement("free", "skip locked");
const renewWaiting = renewStatement("waiting", "");

function renewStatement(name: string, ifLocked: string) {
  return {
    name: `bron-renew-3-${name}`,
    text: `
    with held as materialized (
      select r.id from runs r join unnest($1::uuid[], $2::int[]) as l (run_id, epoch) on r.id = l.run_id
      where r.lease_epoch = l.epoch and r.lease_owner = $4::text for no key update of r ${ifLocked}
    ), kept as (
      update runs r set lease_until = clock_timestamp() + $3::int * interval '1 millisecond' from held where r.id = held.id
      returning r.id, r.lease_epoch, r.last_seq
    )
    select coalesce(jsonb_agg(jsonb_build_object('runId', id, 'epoch', lease_epoch, 'lastSeq', last_seq)),
      '[]') as kept, clock_timestamp() as database_now from kept`,
  };
}

const claimStatement = {
  name: "bron-claim-3",
  text: "select * from claim_placed_run($1, $2, $3, $4, $5, $6, $7, $8::jsonb[])",
} as const;

/** The first row is the claim, the others are the log. */
interface ClaimRow extends LogRow {
  outcome: "claimed" | "log" | Extract<ClaimResult, { claimed: false }>["reason"];
  header: Omit<RunHeader, "id" | "ownerCapMicrousd"> & Pick<Lease, "cappedAncestors">;
  epoch: number;
  fruitless: number;
  drawn: number;
  cap: number | null;
}

function toClaim(
  [first, ...log]: readonly ClaimRow[],
  { runId, worker }: { runId: string; worker: string },
): ClaimResult {
  if (!first || first.outcome === "log") return { claimed: false, reason: "not_runnable" };
  if (first.outcome !== "claimed") return { claimed: false, reason: first.outcome };
  const { cappedAncestors, ...header } = first.header;
  return {
    claimed: true,
    lease: { runId, ownerId: header.ownerId, worker, epoch: first.epoch, cappedAncestors },
    run: { id: runId, ...header, ownerCapMicrousd: first.cap },
    lastSeq: first.seq,
    events: log.flatMap((row): RunEvent[] => toRunEvents(runId, row)),
    drawnMicrousd: first.drawn,
    claimsWithoutProgress: first.fruitless,
    databaseNow: first.at.getTime(),
  };
}
