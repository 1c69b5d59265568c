import type { AppendRequest, AppendResult } from "@bron/core";
import type pg from "pg";
import type { AppendedRow, AppendStatements, PricedAppend } from "./append-statement.ts";

type Queryable = Pick<pg.Pool | pg.PoolClient, "query">;

/** Appends of many runs share statements and commits when they come faster than the database takes them. */
export interface AppendQueue {
  append(request: AppendRequest): Promise<AppendResult>;
}

/** Two, so that one is prepared while the other is flushed to the disk. */
const lanes = 2;
const perStatement = 32;
/** A statement that waits for a lock must not keep the others waiting. */
const patienceMs = 50;

interface Waiting {
  readonly request: AppendRequest;
  readonly result: PromiseWithResolvers<AppendResult>;
}

export function createAppendQueue(pool: pg.Pool, statements: AppendStatements): AppendQueue {
  let waiting: Waiting[] = [];
  let busy = 0;

  const occupy = async (work: () => Promise<void>) => {
    busy++;
    let free = () => {
      free = () => undefined;
      busy--;
      next();
    };
    const timer = setTimeout(() => free(), patienceMs);
    await work();
    clearTimeout(timer);
    free();
  };

  const alone = async ({ request, result }: Waiting) => {
    await appendAlone(pool, statements, { request, drawn: 0 }).then(result.resolve, result.reject);
  };

  const together = async (batch: readonly Waiting[]) => {
    let made: ReadonlyMap<string, AppendedRow>;
    try {
      const { rows } = await pool.query<AppendedRow>(
        statements.many(batch.map(({ request }) => ({ request, drawn: 0 }))),
      );
      made = new Map(rows.map((row) => [row.id, row]));
    } catch (error) {
      // One that cannot be written must not take the others along. If the connection broke, each finds that out for itself.
      if (isRefusal(error)) await Promise.all(batch.map(alone));
      else for (const { result } of batch) result.reject(error);
      return;
    }
    // Refused, or its row was locked: alone it is told which.
    await Promise.all(
      batch.map(async (one) => {
        const row = made.get(one.request.lease.runId);
        if (row) one.result.resolve(toResult(row));
        else await alone(one);
      }),
    );
  };

  /** Of each run at most one: a statement moves a row once. */
  const takeBatch = (): Waiting[] => {
    const batch = new Map<string, Waiting>();
    const left: Waiting[] = [];
    for (const one of waiting) {
      if (batch.size < perStatement && !batch.has(one.request.lease.runId))
        batch.set(one.request.lease.runId, one);
      else left.push(one);
    }
    waiting = left;
    return [...batch.values()];
  };

  const next = () => {
    while (busy < lanes && waiting.length > 0) {
      const batch = takeBatch();
      const [first, second] = batch;
      if (!first) return;
      void occupy(() => (second ? together(batch) : alone(first)));
    }
  };

  return {
    append(request) {
      const result = Promise.withResolvers<AppendResult>();
      waiting.push({ request, result });
      next();
      return result.promise;
    },
  };
}

/** Postgres looked at the statement and said no, so that nothing of it was done. */
function isRefusal(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) && !/^(?:08|57|XX)/.test(code);
}

export async function appendAlone(
  client: Queryable,
  statements: AppendStatements,
  priced: PricedAppend,
): Promise<AppendResult> {
  const { rows } = await client.query<AppendedRow>(statements.one(priced));
  const row = rows[0];
  return row ? toResult(row) : { ok: false, reason: await whyRefused(client, priced.request) };
}

function toResult({
  last_seq: lastSeq,
  at,
  drawn_microusd: drawnMicrousd,
  cap_microusd: ownerCapMicrousd,
}: AppendedRow): AppendResult {
  return { ok: true, lastSeq, createdAt: at.toISOString(), drawnMicrousd, ownerCapMicrousd };
}

async function whyRefused(
  client: Queryable,
  { lease, seen }: AppendRequest,
): Promise<"lost" | "moved" | "approval"> {
  const { rows } = await client.query<{
    lease_owner: string | null;
    lease_epoch: number;
    last_seq: number;
  }>("select lease_owner, lease_epoch, last_seq from runs where id = $1 and owner_id = $2", [
    lease.runId,
    lease.ownerId,
  ]);
  const row = rows[0];
  if (!row || row.lease_epoch !== lease.epoch || row.lease_owner !== lease.worker) return "lost";
  return row.last_seq === seen ? "approval" : "moved";
}
