import type { Upkeep } from "@bron/core";
import { isUuid } from "@bron/protocol";
import { sql } from "kysely";
import { randomUUID } from "node:crypto";
import { wrapDatabaseErrors } from "../database/database-errors.ts";
import type { OpenDatabase } from "../database/database.ts";
import { insertRun } from "./insert-run.ts";
import type { WakeWriter, WakingTransaction } from "./wake.ts";

type UpkeepRun = Parameters<Upkeep["start"]>[0]["run"];

export function postgresUpkeep({ pool }: Pick<OpenDatabase, "pool">, writer: WakeWriter): Upkeep {
  return wrapDatabaseErrors<Upkeep>({
    async start({ afterMs, run, limit }) {
      const { rows } = await pool.query<Due>({
        name: "bron-upkeep-due-1",
        text: dueStatement,
        values: [afterMs, limit],
      });
      let started = 0;
      for (const due of rows)
        if (await writer.transaction((transaction) => startOne(transaction, due, run))) started++;
      return started;
    },

    async inputOf(ownerId, upkeepRunId) {
      if (!isUuid(upkeepRunId)) return undefined;
      const { rows } = await pool.query<InputRow>({
        name: "bron-upkeep-input-1",
        text: inputStatement,
        values: [ownerId, upkeepRunId],
      });
      const [first] = rows;
      if (!first) return undefined;
      const texts = rows.flatMap(({ content, asTyped }) =>
        content === null ? [] : [{ content, ...(asTyped === true ? { asTyped } : {}) }],
      );
      return { summary: first.summary, version: first.version, texts };
    },
  });
}

interface Due {
  readonly owner_id: string;
  readonly bron_id: string;
}

interface InputRow {
  readonly summary: string;
  readonly version: number;
  readonly content: string | null;
  readonly asTyped: boolean | null;
}

const dueStatement = `
  select r.owner_id, r.bron_id from runs r where r.upkeep_due and r.finished_at is not null
    and not exists (select from runs u where u.bron_id = r.bron_id and u.kind = 'upkeep' and u.finished_at is null)
  group by r.owner_id, r.bron_id having min(r.finished_at) <= clock_timestamp() - $1::double precision * interval '1 millisecond'
  order by min(r.finished_at) limit $2`;

const inputStatement = `
  select b.memory_summary as summary, b.memory_version as version, m.content, m.as_typed as "asTyped"
  from runs u join brons b on b.id = u.bron_id and b.owner_id = u.owner_id
  left join lateral (
    select said.id, said.content, said.as_typed from runs r
    join bron_messages said on said.thread_id = r.thread_id and said.run_id = r.id
    where r.upkeep_run_id = u.id and r.owner_id = $1 and said.owner_id = $1 and said.role = 'user' and said.trusted
  ) m on true
  where u.id = $2 and u.owner_id = $1 and u.kind = 'upkeep' order by m.id`;

/** Locks the Bron, so that two processes do not start one each. */
async function startOne(
  { db, client, wake }: WakingTransaction,
  { owner_id: ownerId, bron_id: bronId }: Due,
  run: UpkeepRun,
): Promise<boolean> {
  const bron = await db
    .selectFrom("brons")
    .select(["memory_on", "memory_version"])
    .where("id", "=", bronId)
    .where("owner_id", "=", ownerId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  const active = await db
    .selectFrom("runs")
    .select("id")
    .where("owner_id", "=", ownerId)
    .where("bron_id", "=", bronId)
    .where("kind", "=", "upkeep")
    .where("finished_at", "is", null)
    .executeTakeFirst();
  if (!bron || active) return false;
  const due = await db
    .selectFrom("runs")
    .select(["id", "thread_id"])
    .where("owner_id", "=", ownerId)
    .where("bron_id", "=", bronId)
    .where("upkeep_due", "=", true)
    .where("finished_at", "is not", null)
    .orderBy("finished_at")
    .orderBy("id")
    .forNoKeyUpdate()
    .execute();
  const [first] = due;
  if (!first) return false;
  const runIds = due.map(({ id }) => id);
  const { rows: said } = await sql`
    select from bron_messages where owner_id = ${ownerId} and role = 'user' and trusted
      and thread_id = any(${due.map((one) => one.thread_id)}::uuid[]) and run_id = any(${runIds}::uuid[]) limit 1`.execute(
    db,
  );
  let upkeepRunId: string | null = null;
  if (bron.memory_on && said.length > 0) {
    // Its thread is no conversation, so it has no time at which the owner wrote in it.
    const threadId = randomUUID();
    await db
      .insertInto("threads")
      .values({ id: threadId, owner_id: ownerId, bron_id: bronId, title: "" })
      .execute();
    const idempotencyKey = `upkeep:${first.id}:${bron.memory_version}`;
    const upkeepRun = { ...run, ownerId, kind: "upkeep", idempotencyKey } as const;
    upkeepRunId = (await insertRun(client, upkeepRun, { threadId }))?.id ?? null;
  }
  await sql`
    update runs set upkeep_due = false, upkeep_run_id = ${upkeepRunId}
    where owner_id = ${ownerId} and id = any(${runIds}::uuid[])`.execute(db);
  if (upkeepRunId === null) return false;
  await wake({ runId: upkeepRunId, ownerId, wake: 1, delayMs: 0, held: false });
  return true;
}
