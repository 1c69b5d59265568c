import {
  avatarColors,
  bronArchivedEntry,
  bronChangedEntry,
  BronError,
  bronIsArchived,
  defaultBronName,
  defaultBronStays,
  pickColor,
  threadNotFound,
  type Brons,
  type ChangedBronRow,
} from "@bron/core";
import type { Kysely } from "kysely";
import { randomUUID } from "node:crypto";
import { writeAudit } from "./audit.ts";
import { inTransaction, type OpenDatabase } from "../database/database.ts";
import { wrapDatabaseErrors } from "../database/database-errors.ts";
import { toBronView, type BronRow } from "./rows.ts";
import type { Database } from "../database/schema.ts";
import { waitsForOf } from "../runs/waits-for.ts";
import { isUuid } from "@bron/protocol";

export function postgresBrons({ db, pool }: Pick<OpenDatabase, "db" | "pool">): Brons {
  const read = async (ownerId: string, bronId: string | null) =>
    (
      await pool.query<BronRow>({
        name: "bron-brons-3",
        text: bronsStatement,
        values: [ownerId, bronId],
      })
    ).rows.map(toBronView);
  return wrapDatabaseErrors({
    async list(ownerId) {
      const found = await read(ownerId, null);
      if (found.length > 0) return found;
      await ensureBron(db, ownerId);
      return await read(ownerId, null);
    },

    get: async (ownerId, bronId) => (isUuid(bronId) ? (await read(ownerId, bronId))[0] : undefined),

    async create(
      ownerId,
      { name, avatarColor, systemPrompt, personaSource, trustLevel, tools, model },
    ) {
      await ensureBron(db, ownerId);
      return await inTransaction(pool, async (transaction) => {
        // Serialized, so that no two Brons get the same color.
        await transaction.db
          .selectFrom("owners")
          .select("id")
          .where("id", "=", ownerId)
          .forNoKeyUpdate()
          .execute();
        const others = await transaction.db
          .selectFrom("brons")
          .select("avatar_color")
          .where("owner_id", "=", ownerId)
          .execute();
        const id = randomUUID();
        const color = avatarColor ?? pickColor(others.map(({ avatar_color: taken }) => taken));
        await transaction.db
          .insertInto("brons")
          .values({
            id,
            owner_id: ownerId,
            name,
            avatar_color: color,
            system_prompt: systemPrompt,
            persona_source: personaSource,
            memory_summary: "",
            trust_level: trustLevel,
            tools: tools ?? null,
            model: model ?? null,
          })
          .execute();
        await writeAudit(transaction.db, ownerId, [
          { what: "bron.created", by: "owner", details: { bronId: id, name, trustLevel } },
        ]);
        return id;
      });
    },

    async change(ownerId, bronId, changes) {
      await inTransaction(pool, async (transaction) => {
        const query = transaction.db
          .selectFrom("brons")
          .selectAll()
          .where("id", "=", bronId)
          .where("owner_id", "=", ownerId)
          .forNoKeyUpdate();
        const before = isUuid(bronId) ? await query.executeTakeFirst() : undefined;
        if (!before) throw new BronError("not_found", `Bron ${bronId} not found.`);
        const changed = columnsOf(changes).filter(
          ({ column, value }) => JSON.stringify(before[column]) !== JSON.stringify(value),
        );
        if (changed.length === 0) return;
        const values = Object.fromEntries(changed.map(({ column, value }) => [column, value]));
        await transaction.db
          .updateTable("brons")
          .set({ ...values, updated_at: new Date() })
          .where("id", "=", before.id)
          .where("owner_id", "=", ownerId)
          .execute();
        await writeAudit(transaction.db, ownerId, [
          bronChangedEntry(
            before.id,
            changes,
            changed.map(({ name }) => name),
          ),
        ]);
      });
    },

    async setArchived(ownerId, bronId, isArchived) {
      await inTransaction(pool, async (transaction) => {
        const found = isUuid(bronId)
          ? await transaction.db
              .selectFrom("brons")
              .select(["name", "is_default", "archived_at"])
              .where("id", "=", bronId)
              .where("owner_id", "=", ownerId)
              .forNoKeyUpdate()
              .executeTakeFirst()
          : undefined;
        if (!found) throw new BronError("not_found", `Bron ${bronId} not found.`);
        if (found.is_default && isArchived) throw defaultBronStays();
        if ((found.archived_at !== null) === isArchived) return;
        await transaction.db
          .updateTable("brons")
          .set({ archived_at: isArchived ? new Date() : null, updated_at: new Date() })
          .where("id", "=", bronId)
          .where("owner_id", "=", ownerId)
          .execute();
        await writeAudit(transaction.db, ownerId, [
          bronArchivedEntry(bronId, found.name, isArchived),
        ]);
      });
    },
  });
}

const columns = {
  name: "name",
  avatarColor: "avatar_color",
  systemPrompt: "system_prompt",
  personaSource: "persona_source",
  memorySummary: "memory_summary",
  tools: "tools",
  model: "model",
} as const;

function columnsOf(changes: ChangedBronRow) {
  return (Object.keys(columns) as (keyof typeof columns)[]).flatMap((name) =>
    changes[name] === undefined ? [] : [{ name, column: columns[name], value: changes[name] }],
  );
}

/**
 * `run` is the run that determines a Bron's status: one that waits for a person, else an active
 * one, else the one that ended last. An unfinished run has no `finished_at`, which is how the index
 * finds the few active ones.
 */
const bronsStatement = `
with pending as (
  select r.bron_id, count(*) as count from approvals a join runs r on r.id = a.run_id and r.owner_id = $1
    where a.owner_id = $1 and a.state = 'pending'
    and (a.snoozed_until is null or a.snoozed_until <= clock_timestamp()) group by r.bron_id
)
select b.*, run.id as run_id, run.title as run_title, run.status as run_status, run.not_done as run_not_done,
  run.outcome as run_outcome, run.waits_for as run_waits_for, run.card,
  run.finished_at > clock_timestamp() - interval '1 day' as ended_lately, coalesce(pending.count, 0) as pending_approvals,
  greatest(
    b.created_at,
    (select max(r.finished_at) from runs r where r.owner_id = $1 and r.bron_id = b.id),
    (select max(l.created_at) from runs r join run_log l on l.run_id = r.id and l.seq = r.last_seq
      where r.owner_id = $1 and r.bron_id = b.id and r.finished_at is null)
  ) as last_activity_at
from brons b
left join pending on pending.bron_id = b.id
left join lateral (
  (select case r.status when 'awaiting_confirmation' then 1 when 'awaiting_auth' then 2 else 3
    end as place, r.created_at, r.id, r.title, r.status, r.not_done, r.outcome, r.card, r.finished_at, ${waitsForOf("r")} as waits_for
   from runs r where r.owner_id = $1 and r.bron_id = b.id and r.parent_run_id is null and r.finished_at is null order by place, r.created_at desc limit 1)
  union all
  (select 4, r.created_at, r.id, r.title, r.status, r.not_done, r.outcome, r.card, r.finished_at, null
    from runs r where r.owner_id = $1 and r.bron_id = b.id and r.parent_run_id is null and r.finished_at is not null order by r.finished_at desc limit 1)
  order by place limit 1
) run on true
where b.owner_id = $1 and ($2::uuid is null or b.id = $2)
order by last_activity_at desc, b.id`;

interface ThreadRow {
  readonly id: string;
  readonly bron_id: string;
}

/**
 * Returns the thread for a new run: the given thread, or a new one with the given or default Bron.
 */
export async function ensureThread(
  db: Kysely<Database>,
  ownerId: string,
  target: { bronId?: string; threadId?: string; mayBeArchived?: boolean },
): Promise<ThreadRow> {
  if (target.threadId !== undefined) {
    const thread = await db
      .selectFrom("threads")
      .innerJoin("brons", "brons.id", "threads.bron_id")
      .select(["threads.id", "threads.bron_id", "brons.name", "brons.archived_at"])
      .where("threads.id", "=", target.threadId)
      .where("threads.owner_id", "=", ownerId)
      .executeTakeFirst();
    if (!thread) throw threadNotFound(target.threadId);
    if (target.bronId !== undefined && target.bronId !== thread.bron_id)
      throw new BronError("invalid_input", "This thread belongs to another Bron.");
    if (target.mayBeArchived !== true) requireActive(thread);
    return { id: thread.id, bron_id: thread.bron_id };
  }
  const bronId = await ensureBron(db, ownerId, target.bronId);
  if (target.bronId !== undefined && target.mayBeArchived !== true)
    requireActive(
      await db
        .selectFrom("brons")
        .select(["name", "archived_at"])
        .where("id", "=", bronId)
        .where("owner_id", "=", ownerId)
        .executeTakeFirstOrThrow(),
    );
  return await db
    .insertInto("threads")
    .values({ id: randomUUID(), owner_id: ownerId, bron_id: bronId, title: "" })
    .returning(["id", "bron_id"])
    .executeTakeFirstOrThrow();
}

/** Throws invalid_input for an archived Bron. */
function requireActive(bron: { readonly name: string; readonly archived_at: Date | null }): void {
  if (bron.archived_at !== null) throw bronIsArchived(bron.name);
}

/** Returns the given Bron, or the owner's default Bron, which is created on first use. */
export async function ensureBron(
  db: Kysely<Database>,
  ownerId: string,
  bronId?: string,
): Promise<string> {
  if (bronId !== undefined) {
    const found = await db
      .selectFrom("brons")
      .select("id")
      .where("id", "=", bronId)
      .where("owner_id", "=", ownerId)
      .executeTakeFirst();
    if (!found) throw new BronError("not_found", `Bron ${bronId} not found.`);
    return found.id;
  }
  const findDefault = () =>
    db
      .selectFrom("brons")
      .select("id")
      .where("owner_id", "=", ownerId)
      .where("is_default", "=", true)
      .executeTakeFirst();
  const existing = await findDefault();
  if (existing) return existing.id;
  await db
    .insertInto("owners")
    .values({ id: ownerId, cap_microusd: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await db
    .insertInto("brons")
    .values({
      id: randomUUID(),
      owner_id: ownerId,
      name: defaultBronName,
      avatar_color: avatarColors[0],
      system_prompt: "",
      memory_summary: "",
      is_default: true,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const created = await findDefault();
  if (!created) throw new BronError("internal", "The default Bron could not be created");
  return created.id;
}
