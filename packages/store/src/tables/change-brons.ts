import {
  bronArchivedEntry,
  bronChangedEntry,
  BronError,
  bronNotFound,
  defaultBronStays,
  nothingToUndo,
  pickColor,
  summaryUndoneEntry,
  type Brons,
  type ChangedBronRow,
} from "@bron/core";
import { isUuid } from "@bron/protocol";
import { randomUUID } from "node:crypto";
import type { Selectable } from "kysely";
import type pg from "pg";
import { inTransaction, type OpenDatabase } from "../database/database.ts";
import type { Database } from "../database/schema.ts";
import { writeAudit } from "./audit.ts";
import { ensureBron } from "./ensure-bron.ts";

type NewBron = Parameters<Brons["create"]>[1];

interface OwnBron {
  readonly ownerId: string;
  readonly bronId: string;
}

export async function insertBron(
  { db, pool }: Pick<OpenDatabase, "db" | "pool">,
  ownerId: string,
  bron: NewBron,
): Promise<string> {
  const { name, avatarColor, systemPrompt, personaSource, trustLevel, tools, model, skills } = bron;
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
        skills: skills ?? null,
      })
      .execute();
    await writeAudit(transaction.db, ownerId, [
      { what: "bron.created", by: "owner", details: { bronId: id, name, trustLevel } },
    ]);
    return id;
  });
}

export async function changeBron(
  pool: pg.Pool,
  { ownerId, bronId }: OwnBron,
  changes: ChangedBronRow,
): Promise<void> {
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
      .set({ ...values, ...summaryChange(before, values), updated_at: new Date() })
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
}

/** What goes with another summary. An upkeep run that has read the old one does not replace it. */
function summaryChange(
  before: Pick<Selectable<Database["brons"]>, "memory_summary" | "memory_version">,
  values: Readonly<Record<string, unknown>>,
) {
  if (!("memory_summary" in values)) return {};
  return {
    memory_before: before.memory_summary,
    memory_version: before.memory_version + 1,
    memory_updated_at: new Date(),
  };
}

export async function undoSummary(pool: pg.Pool, { ownerId, bronId }: OwnBron): Promise<void> {
  await inTransaction(pool, async (transaction) => {
    const found = isUuid(bronId)
      ? await transaction.db
          .selectFrom("brons")
          .select(["memory_before", "memory_version"])
          .where("id", "=", bronId)
          .where("owner_id", "=", ownerId)
          .forNoKeyUpdate()
          .executeTakeFirst()
      : undefined;
    if (!found) throw bronNotFound(bronId);
    if (found.memory_before === null) throw nothingToUndo();
    await transaction.db
      .updateTable("brons")
      .set({
        memory_summary: found.memory_before,
        memory_before: null,
        memory_version: found.memory_version + 1,
        memory_updated_at: new Date(),
        updated_at: new Date(),
      })
      .where("id", "=", bronId)
      .where("owner_id", "=", ownerId)
      .execute();
    await writeAudit(transaction.db, ownerId, [summaryUndoneEntry(bronId)]);
  });
}

export async function setBronArchived(
  pool: pg.Pool,
  { ownerId, bronId }: OwnBron,
  isArchived: boolean,
): Promise<void> {
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
    await writeAudit(transaction.db, ownerId, [bronArchivedEntry(bronId, found.name, isArchived)]);
  });
}

const columns = {
  name: "name",
  avatarColor: "avatar_color",
  systemPrompt: "system_prompt",
  personaSource: "persona_source",
  memorySummary: "memory_summary",
  memoryOn: "memory_on",
  tools: "tools",
  model: "model",
  skills: "skills",
  maxCostMicrousd: "max_cost_microusd",
} as const;

function columnsOf(changes: ChangedBronRow) {
  return (Object.keys(columns) as (keyof typeof columns)[]).flatMap((name) =>
    changes[name] === undefined ? [] : [{ name, column: columns[name], value: changes[name] }],
  );
}
