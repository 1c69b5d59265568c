import { BronError } from "@bron/core";
import type { Kysely } from "kysely";
import { randomUUID } from "node:crypto";
import type { Database } from "./schema.ts";

interface ThreadRow {
  readonly id: string;
  readonly bron_id: string;
}

/** The thread that a new run belongs to: the named one, or a new one with the named or the default Bron. */
export async function ensureThread(db: Kysely<Database>, ownerId: string, wanted: { bronId?: string; threadId?: string }): Promise<ThreadRow> {
  if (wanted.threadId !== undefined) {
    const thread = await db.selectFrom("threads").select(["id", "bron_id"]).where("id", "=", wanted.threadId).where("owner_id", "=", ownerId).executeTakeFirst();
    if (!thread) throw new BronError("not_found", `There is no thread ${wanted.threadId}.`);
    if (wanted.bronId !== undefined && wanted.bronId !== thread.bron_id) throw new BronError("invalid_input", "This thread belongs to another Bron.");
    return thread;
  }
  const bronId = await ensureBron(db, ownerId, wanted.bronId);
  return await db.insertInto("threads").values({ id: randomUUID(), owner_id: ownerId, bron_id: bronId, title: "" }).returning(["id", "bron_id"]).executeTakeFirstOrThrow();
}

/** The owner's default Bron is made when it is first needed. */
export async function ensureBron(db: Kysely<Database>, ownerId: string, bronId?: string): Promise<string> {
  if (bronId !== undefined) {
    const found = await db.selectFrom("brons").select("id").where("id", "=", bronId).where("owner_id", "=", ownerId).executeTakeFirst();
    if (!found) throw new BronError("not_found", `There is no Bron ${bronId}.`);
    return found.id;
  }
  const findDefault = () => db.selectFrom("brons").select("id").where("owner_id", "=", ownerId).where("is_default", "=", true).executeTakeFirst();
  const existing = await findDefault();
  if (existing) return existing.id;
  await db.insertInto("owners").values({ id: ownerId, cap_microusd: null }).onConflict((conflict) => conflict.doNothing()).execute();
  await db
    .insertInto("brons")
    .values({ id: randomUUID(), owner_id: ownerId, name: "Bron", avatar_color: "#3b6ef5", system_prompt: "", memory_summary: "", is_default: true })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const made = await findDefault();
  if (!made) throw new BronError("internal", "The default Bron could not be made");
  return made.id;
}
