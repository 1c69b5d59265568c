import {
  avatarColors,
  BronError,
  bronIsArchived,
  defaultBronName,
  threadNotFound,
} from "@bron/core";
import type { Kysely } from "kysely";
import { randomUUID } from "node:crypto";
import type { Database } from "../database/schema.ts";

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
    await requireActiveBron(db, ownerId, bronId);
  return await db
    .insertInto("threads")
    .values({ id: randomUUID(), owner_id: ownerId, bron_id: bronId, title: "" })
    .returning(["id", "bron_id"])
    .executeTakeFirstOrThrow();
}

/** Throws invalid_input for an archived Bron. */
export async function requireActiveBron(
  db: Kysely<Database>,
  ownerId: string,
  bronId: string,
): Promise<void> {
  requireActive(
    await db
      .selectFrom("brons")
      .select(["name", "archived_at"])
      .where("id", "=", bronId)
      .where("owner_id", "=", ownerId)
      .executeTakeFirstOrThrow(),
  );
}

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
