import { findBudgetRefusal, type AppendRequest, type AppendResult } from "@bron/core";
import { omitUndefined } from "@bron/protocol";
import type pg from "pg";
import type { AppendedRow, AppendStatements, PricedAppend } from "./append-statement.ts";
import { capUseColumns, toCapUse, type CapUseRow } from "./cap-use-row.ts";

type Rejection = Extract<AppendResult, { readonly ok: false }>;
type Queryable = Pick<pg.Pool | pg.PoolClient, "query">;

/**
 * Batches appends of many runs into shared statements and commits when they arrive faster than the
 * database can process them.
 */
interface AppendQueue {
  append(request: AppendRequest): Promise<AppendResult>;
}

/** Two, so that one is prepared while the other is flushed to disk. */
const lanes = 2;
const maxBatchSize = 32;
/**
 * A statement that waits for a lock must not block the others, so its lane is freed after this
 * time.
 */
const laneTimeoutMs = 50;

interface PendingAppend {
  readonly request: AppendRequest;
  readonly result: PromiseWithResolvers<AppendResult>;
}

export function createAppendQueue(pool: pg.Pool, statements: AppendStatements): AppendQueue {
  let pending: PendingAppend[] = [];
  let busy = 0;

  const withLane = async (work: () => Promise<void>) => {
    busy++;
    let free = () => {
      free = () => undefined;
      busy--;
      next();
    };
    const timer = setTimeout(() => free(), laneTimeoutMs);
    await work();
    clearTimeout(timer);
    free();
  };

  const appendOne = async ({ request, result }: PendingAppend) => {
    await appendSingle(pool, statements, { request, drawn: 0 }).then(result.resolve, result.reject);
  };

  const appendBatch = async (batch: readonly PendingAppend[]) => {
    let appended: ReadonlyMap<string, AppendedRow>;
    try {
      const { rows } = await pool.query<AppendedRow>(
        statements.many(batch.map(({ request }) => ({ request, drawn: 0 }))),
      );
      appended = new Map(rows.map((row) => [row.id, row]));
    } catch (error) {
      // One invalid append must not fail the others. If the connection broke, all of them fail.
      if (isRejected(error)) await Promise.all(batch.map(appendOne));
      else for (const { result } of batch) result.reject(error);
      return;
    }
    // Appends without a row were rejected, or their row was locked. A single append returns the
    // reason.
    await Promise.all(
      batch.map(async (append) => {
        const row = appended.get(append.request.lease.runId);
        if (row) append.result.resolve(toResult(row));
        else await appendOne(append);
      }),
    );
  };

  /** Takes at most one append per run, because a statement can update a row only once. */
  const takeBatch = (): PendingAppend[] => {
    const batch = new Map<string, PendingAppend>();
    const deferred: PendingAppend[] = [];
    for (const append of pending) {
      if (batch.size < maxBatchSize && !batch.has(append.request.lease.runId))
        batch.set(append.request.lease.runId, append);
      else deferred.push(append);
    }
    pending = deferred;
    return [...batch.values()];
  };

  const next = () => {
    while (busy < lanes && pending.length > 0) {
      const batch = takeBatch();
      const [first, second] = batch;
      if (!first) return;
      void withLane(() => (second ? appendBatch(batch) : appendOne(first)));
    }
  };

  return {
    append(request) {
      const result = Promise.withResolvers<AppendResult>();
      pending.push({ request, result });
      next();
      return result.promise;
    },
  };
}

/** Postgres rejected the statement, so nothing was written. */
function isRejected(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) && !/^(?:08|57|XX)/.test(code);
}

export async function appendSingle(
  client: Queryable,
  statements: AppendStatements,
  priced: PricedAppend,
): Promise<AppendResult> {
  const { rows } = await client.query<AppendedRow>(statements.one(priced));
  const row = rows[0];
  return row ? toResult(row) : await findRejection(client, priced.request);
}

function toResult({
  last_seq: lastSeq,
  at,
  drawn_microusd: drawnMicrousd,
  cap_microusd: ownerCapMicrousd,
  has_budget: hasBudget,
  denying_rules: denyingRules,
}: AppendedRow): AppendResult {
  return {
    ok: true,
    lastSeq,
    createdAt: at.toISOString(),
    drawnMicrousd,
    ownerCapMicrousd,
    hasOwnerBudget: hasBudget === true,
    ...omitUndefined({ denyingRules }),
  };
}

interface RejectionRow extends CapUseRow {
  readonly lease_owner: string | null;
  readonly lease_epoch: number;
  readonly last_seq: number;
}

/** Why an append was rejected. `approval` if nothing else explains it. */
export async function findRejection(
  client: Queryable,
  { lease, seen, draw, chargedMicrousd }: AppendRequest,
): Promise<Rejection> {
  const { rows } = await client.query<RejectionRow>(
    `select lease_owner, lease_epoch, last_seq, ${capUseColumns} from runs where id = $1 and owner_id = $2`,
    [lease.runId, lease.ownerId],
  );
  const row = rows[0];
  if (!row || row.lease_epoch !== lease.epoch || row.lease_owner !== lease.worker)
    return { ok: false, reason: "lost" };
  if (row.last_seq !== seen) return { ok: false, reason: "moved" };
  if (draw) {
    const verdict = findBudgetRefusal({
      draw,
      own: { ...toCapUse(row), chargedMicrousd: chargedMicrousd ?? row.spent_microusd },
      above: [],
      ownerLeftMicrousd: Number.POSITIVE_INFINITY,
    });
    if (!verdict.ok) return { ok: false, reason: "budget", why: verdict.why };
  }
  return { ok: false, reason: "approval" };
}
