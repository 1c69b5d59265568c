import { BronError, drawAmount, project, type AppendRequest, type AppendResult, type ClaimResult, type RunLog } from "@bron/core";
import { logVersion, type RunEvent } from "@bron/protocol";
import { sql, type Selectable } from "kysely";
import type pg from "pg";
import { appendStatement } from "./append-statement.ts";
import { inTransaction, toJson, type OpenDatabase } from "./database.ts";
import { toRunEvent } from "./rows.ts";
import type { Database } from "./schema.ts";

export function postgresRunLog({ pool, beats, db }: Pick<OpenDatabase, "pool" | "beats" | "db">): RunLog {
  return {
    async claim(request) {
      const { runId, worker, leaseMs, takeOverUntil, maxPerOwner, maxInAll } = request;
      const { rows } = await pool.query<ClaimRow>(claimStatement, [runId, worker, leaseMs, new Date(takeOverUntil), maxPerOwner, maxInAll, logVersion]);
      return toClaim(rows[0], worker);
    },

    async read({ runId, ownerId }, afterSeq): Promise<RunEvent[]> {
      const rows = await db.selectFrom("run_events").selectAll().where("run_id", "=", runId).where("owner_id", "=", ownerId).where("seq", ">", afterSeq).orderBy("seq").execute();
      return rows.map(toRunEvent);
    },

    async append(request) {
      if (!request.draw) return await append(pool, request, 0);
      return await appendWithDraw(pool, request, request.draw);
    },

    async release(lease, { delayMs, keepCount }) {
      const { numUpdatedRows } = await db
        .updateTable("runs")
        .set((eb) => ({
          lease_owner: null,
          lease_until: null,
          wake_at: sql<Date>`clock_timestamp() + ${delayMs} * interval '1 millisecond'`,
          ...(keepCount ? {} : { claims: eb.fn<number>("greatest", [eb("claims", "-", 1), eb.lit(0)]) }),
        }))
        .where("id", "=", lease.runId)
        .where("owner_id", "=", lease.ownerId)
        .where("lease_owner", "=", lease.worker)
        .where("lease_epoch", "=", lease.epoch)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async renew(worker, leases, leaseMs) {
      const { rows } = await beats.query<{ kept: { runId: string; epoch: number; lastSeq: number }[]; database_now: Date }>({ ...renewStatement, values: [leases.map((lease) => lease.runId), leases.map((lease) => lease.epoch), leaseMs, worker] });
      return { kept: rows[0]?.kept ?? [], databaseNow: rows[0]?.database_now.getTime() ?? 0 };
    },
  };
}

const renewStatement = {
  name: "bron-renew-1",
  text: `
    with kept as (
      update runs r set lease_until = clock_timestamp() + $3::int * interval '1 millisecond'
      from unnest($1::uuid[], $2::int[]) as l (run_id, epoch)
      where r.id = l.run_id and r.lease_epoch = l.epoch and r.lease_owner = $4::text
      returning r.id, r.lease_epoch, r.last_seq
    )
    select coalesce(jsonb_agg(jsonb_build_object('runId', id, 'epoch', lease_epoch, 'lastSeq', last_seq)), '[]') as kept, clock_timestamp() as database_now from kept`,
} as const;

// What changes under the lock comes from the function; the join sees the row as it was before the claim.
const claimStatement = `
  select c.*, r.id, r.owner_id, r.bron_id, r.thread_id, r.attached_context, r.caps
  from claim_run($1, $2, $3, $4, $5, $6, $7) c left join runs r on r.id = $1`;

type HeaderColumns = "id" | "owner_id" | "bron_id" | "thread_id" | "attached_context" | "caps";

type ClaimRow = Pick<Selectable<Database["runs"]>, HeaderColumns> & {
  outcome: "claimed" | Extract<ClaimResult, { claimed: false }>["reason"];
  epoch: number;
  seq: number;
  fruitless: number;
  drawn: number;
  cap: number | null;
  database_now: Date;
};

function toClaim(row: ClaimRow | undefined, worker: string): ClaimResult {
  if (!row) return { claimed: false, reason: "not_runnable" };
  if (row.outcome !== "claimed") return { claimed: false, reason: row.outcome };
  const { id, owner_id: ownerId, bron_id: bronId, thread_id: threadId, attached_context: attachedContext, caps } = row;
  return {
    claimed: true,
    lease: { runId: id, ownerId, worker, epoch: row.epoch },
    run: { id, ownerId, bronId, threadId, attachedContext, caps, ownerCapMicrousd: row.cap },
    lastSeq: row.seq,
    drawnMicrousd: row.drawn,
    claimsWithoutProgress: row.fruitless,
    databaseNow: row.database_now.getTime(),
  };
}

type Queryable = Pick<pg.Pool | pg.PoolClient, "query">;

async function append(client: Queryable, request: AppendRequest, drawn: number): Promise<AppendResult> {
  const { lease, seen, events, leaseMs, release, consume, chargedMicrousd } = request;
  const projection = project(events);
  const statement = appendStatement({ projection, events: events.length > 0, consumes: (consume?.length ?? 0) > 0, ends: release === "end" });
  const values = [lease.runId, lease.ownerId, lease.worker, lease.epoch, seen, toJson(events), toJson(projection), leaseMs, release ?? null, consume ?? [], chargedMicrousd ?? null, drawn];
  const { rows } = await client.query<{ last_seq: number; drawn_microusd: number; at: Date; cap_microusd: number | null }>({ ...statement, values });
  const row = rows[0];
  if (row) return { ok: true, lastSeq: row.last_seq, createdAt: row.at.toISOString(), drawnMicrousd: row.drawn_microusd, ownerCapMicrousd: row.cap_microusd };
  return { ok: false, reason: await whyRefused(client, request) };
}

async function whyRefused(client: Queryable, { lease, seen }: AppendRequest): Promise<"lost" | "moved" | "approval"> {
  const { rows } = await client.query<{ lease_owner: string | null; lease_epoch: number; last_seq: number }>("select lease_owner, lease_epoch, last_seq from runs where id = $1 and owner_id = $2", [
    lease.runId,
    lease.ownerId,
  ]);
  const row = rows[0];
  if (!row || row.lease_epoch !== lease.epoch || row.lease_owner !== lease.worker) return "lost";
  return row.last_seq === seen ? "approval" : "moved";
}

/** The owner's row first, then the run's; what ends a run locks them in the other order, but never the same pair. */
async function appendWithDraw(pool: pg.Pool, request: AppendRequest, draw: NonNullable<AppendRequest["draw"]>): Promise<AppendResult> {
  let refusal: AppendResult = { ok: false, reason: "budget" };
  try {
    return await inTransaction(pool, async ({ client }) => {
      const { ownerId } = request.lease;
      const { rows } = await client.query<{ cap_microusd: number | null; drawn_microusd: number }>("select cap_microusd, drawn_microusd from owners where id = $1 for update", [ownerId]);
      const owner = rows[0];
      const left = owner && owner.cap_microusd !== null ? owner.cap_microusd - owner.drawn_microusd : Number.POSITIVE_INFINITY;
      if (left < draw.needMicrousd) throw rollback;
      const amount = drawAmount(draw, left);
      await client.query("update owners set drawn_microusd = drawn_microusd + $2 where id = $1", [ownerId, amount]);
      const result = await append(client, request, amount);
      if (result.ok) return result;
      refusal = result;
      throw rollback;
    });
  } catch (error) {
    if (error === rollback) return refusal;
    throw error;
  }
}

/** Thrown to undo a draw whose append was refused. */
const rollback = new BronError("conflict", "refused");
