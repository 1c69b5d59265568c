import {
  bronNotFound,
  memoryAddedEntry,
  memoryChangedEntry,
  memoryConfirmedEntry,
  memoryDigest,
  memoryForgottenEntry,
  memoryIsForgotten,
  memoryNotFound,
  memoryTextTaken,
  memoryWords,
  removeStatement,
  type ChangedStatement,
  type Memory,
  type Noted,
  type NotedStatement,
} from "@bron/core";
import { isUuid, type MemoryEntry } from "@bron/protocol";
import { sql, type Kysely, type Selectable } from "kysely";
import { randomUUID } from "node:crypto";
import { wrapDatabaseErrors } from "../database/database-errors.ts";
import { inTransaction, toJson, type OpenDatabase } from "../database/database.ts";
import type { Database } from "../database/schema.ts";
import { writeAudit } from "./audit.ts";
import { toMemoryEntry } from "./rows.ts";
import { listMemory, searchMemory, storedWords } from "./search-memory.ts";

type Row = Selectable<Database["memory_entries"]>;

const now = sql<Date>`clock_timestamp()`;

export function postgresMemory({ db, pool }: Pick<OpenDatabase, "db" | "pool">): Memory {
  /** Works on one entry under its row lock. Throws not_found. */
  const change = async (
    ownerId: string,
    id: string,
    work: (transaction: Kysely<Database>, row: Row) => Promise<MemoryEntry>,
  ): Promise<MemoryEntry> =>
    await inTransaction(pool, async ({ db: transaction }) => {
      const row = isUuid(id)
        ? await transaction
            .selectFrom("memory_entries")
            .selectAll()
            .where("id", "=", id)
            .where("owner_id", "=", ownerId)
            .forUpdate()
            .executeTakeFirst()
        : undefined;
      if (!row) throw memoryNotFound(id);
      return await work(transaction, row);
    });
  return wrapDatabaseErrors<Memory>({
    async note(statement) {
      const digest = await memoryDigest(statement.text);
      return await inTransaction(pool, async (transaction) =>
        note(transaction.db, { ...statement, digest }),
      );
    },
    search: (ownerId, query) => searchMemory(pool, ownerId, query),
    async confirmed(ownerId, bronId, limit) {
      const { rows } = await pool.query<Pick<MemoryEntry, "text" | "kind">>({
        name: "bron-memory-confirmed-1",
        text: `select text, kind from memory_entries where owner_id = $1 and state = 'confirmed'
          and (bron_id is null or bron_id = $2) order by updated_at desc, id desc limit $3`,
        values: [ownerId, bronId, limit],
      });
      return rows;
    },
    list: (ownerId, options) => listMemory(db, ownerId, options),
    async get(ownerId, id) {
      if (!isUuid(id)) return undefined;
      const row = await db
        .selectFrom("memory_entries")
        .selectAll()
        .where("id", "=", id)
        .where("owner_id", "=", ownerId)
        .executeTakeFirst();
      return row && toMemoryEntry(row);
    },
    async add(ownerId, statement) {
      const digest = await memoryDigest(statement.text);
      return await inTransaction(pool, async (transaction) =>
        addEntry(transaction.db, ownerId, { ...statement, digest }),
      );
    },
    async change(ownerId, id, changes) {
      const digest = changes.text === undefined ? undefined : await memoryDigest(changes.text);
      return await change(ownerId, id, (transaction, row) =>
        changeEntry(transaction, row, { ...changes, digest }),
      );
    },
    confirm: (ownerId, id) => change(ownerId, id, confirmEntry),
    forget: (ownerId, id) => change(ownerId, id, forgetEntry),
  });
}

/** Locks the Bron, so that calls of one run count each other. */
async function note(
  db: Kysely<Database>,
  statement: NotedStatement & { readonly digest: string },
): Promise<Noted> {
  const { ownerId, bronId, text, digest, kind, state, source, label, isOwners } = statement;
  await requireBron(db, ownerId, bronId);
  const known = await db
    .selectFrom("memory_entries")
    .selectAll()
    .where("owner_id", "=", ownerId)
    .where("digest", "=", digest)
    .where((eb) => eb.or([eb("bron_id", "=", bronId), eb("bron_id", "is", null)]))
    .orderBy(sql`state = 'confirmed'`, "desc")
    .orderBy("bron_id")
    .forUpdate()
    .limit(1)
    .executeTakeFirst();
  if (known?.state === "forgotten" && !isOwners) return "forgotten";
  const isRaised = known?.state === "suggested" && state === "confirmed";
  if (known && known.state !== "forgotten" && !isRaised)
    return { entry: toMemoryEntry(known), isNew: false };
  const values = {
    text,
    kind,
    state,
    author: "bron",
    source: toJson(source),
    source_run: source.runId,
    label: label && toJson(label),
    words: wordsOf(ownerId, text),
  } as const;
  if (known) {
    const row = await db
      .updateTable("memory_entries")
      .set({ ...values, updated_at: now })
      .where("id", "=", known.id)
      .where("owner_id", "=", ownerId)
      .returningAll()
      .executeTakeFirstOrThrow();
    return { entry: toMemoryEntry(row), isNew: false };
  }
  const { made } = await db
    .selectFrom("memory_entries")
    .select((eb) => eb.fn.countAll<number>().as("made"))
    .where("owner_id", "=", ownerId)
    .where("source_run", "=", source.runId)
    .executeTakeFirstOrThrow();
  if (Number(made) >= statement.maxOfRun) return "limit";
  const row = await db
    .insertInto("memory_entries")
    .values({ ...values, id: randomUUID(), owner_id: ownerId, bron_id: bronId, digest })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { entry: toMemoryEntry(row), isNew: true };
}

async function addEntry(
  db: Kysely<Database>,
  ownerId: string,
  {
    text,
    kind,
    bronId,
    digest,
  }: Parameters<Memory["add"]>[1] & {
    readonly digest: string;
  },
): Promise<MemoryEntry> {
  if (bronId !== null) await requireBron(db, ownerId, bronId);
  const values = {
    text,
    kind,
    state: "confirmed",
    author: "owner",
    source: null,
    source_run: null,
    label: null,
    words: wordsOf(ownerId, text),
  } as const;
  const row = await db
    .insertInto("memory_entries")
    .values({ ...values, id: randomUUID(), owner_id: ownerId, bron_id: bronId, digest })
    .onConflict((conflict) =>
      conflict
        .columns(["owner_id", "digest", "bron_id"])
        .doUpdateSet({ ...values, updated_at: now }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
  const entry = toMemoryEntry(row);
  await writeAudit(db, ownerId, [memoryAddedEntry(entry)]);
  return entry;
}

async function changeEntry(
  db: Kysely<Database>,
  row: Row,
  {
    text = row.text,
    digest = row.digest,
    kind = row.kind,
    bronId = row.bron_id,
  }: ChangedStatement & { readonly digest: string | undefined },
): Promise<MemoryEntry> {
  const { owner_id: ownerId } = row;
  if (row.state === "forgotten") throw memoryIsForgotten();
  const changed = [
    ...(text === row.text ? [] : ["text"]),
    ...(kind === row.kind ? [] : ["kind"]),
    ...(bronId === row.bron_id ? [] : ["bronId"]),
  ];
  if (changed.length === 0) return toMemoryEntry(row);
  if (bronId !== null) await requireBron(db, ownerId, bronId);
  const other = await db
    .selectFrom("memory_entries")
    .select(["id", "state"])
    .where("owner_id", "=", ownerId)
    .where("digest", "=", digest)
    .where("id", "<>", row.id)
    .where((eb) => (bronId === null ? eb("bron_id", "is", null) : eb("bron_id", "=", bronId)))
    .executeTakeFirst();
  if (other && other.state !== "forgotten") throw memoryTextTaken();
  // What was forgotten gives its place to the text that the owner writes now.
  if (other)
    await db
      .deleteFrom("memory_entries")
      .where("id", "=", other.id)
      .where("owner_id", "=", ownerId)
      .execute();
  const words = wordsOf(ownerId, text);
  const next = await setEntry(db, row, { text, digest, kind, bron_id: bronId, words });
  await writeAudit(db, ownerId, [memoryChangedEntry(next, changed)]);
  return next;
}

async function confirmEntry(db: Kysely<Database>, row: Row): Promise<MemoryEntry> {
  if (row.state === "forgotten") throw memoryIsForgotten();
  if (row.state === "confirmed") return toMemoryEntry(row);
  const confirmed = await setEntry(db, row, { state: "confirmed", label: null });
  await writeAudit(db, row.owner_id, [memoryConfirmedEntry(confirmed)]);
  return confirmed;
}

async function forgetEntry(db: Kysely<Database>, row: Row): Promise<MemoryEntry> {
  if (row.state === "forgotten") return toMemoryEntry(row);
  const nothing = { text: "", words: "", label: null, source: null } as const;
  const forgotten = await setEntry(db, row, { state: "forgotten", ...nothing });
  await forgetInSummaries(db, row);
  await writeAudit(db, row.owner_id, [memoryForgottenEntry(forgotten)]);
  return forgotten;
}

async function setEntry(
  db: Kysely<Database>,
  { id, owner_id: ownerId }: Row,
  values: Record<string, unknown>,
): Promise<MemoryEntry> {
  const row = await db
    .updateTable("memory_entries")
    .set({ ...values, updated_at: now })
    .where("id", "=", id)
    .where("owner_id", "=", ownerId)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toMemoryEntry(row);
}

async function forgetInSummaries(
  db: Kysely<Database>,
  { owner_id: ownerId, bron_id: bronId, text }: Row,
): Promise<void> {
  let query = db
    .selectFrom("brons")
    .select(["id", "memory_summary", "memory_before", "memory_version"])
    .where("owner_id", "=", ownerId);
  if (bronId !== null) query = query.where("id", "=", bronId);
  for (const bron of await query.orderBy("id").forNoKeyUpdate().execute()) {
    const summary = removeStatement(bron.memory_summary, text);
    const before = bron.memory_before === null ? null : removeStatement(bron.memory_before, text);
    await db
      .updateTable("brons")
      .set({
        memory_summary: summary,
        memory_before: before,
        // Also if nothing was removed: an upkeep run under way may have read the statement.
        memory_version: bron.memory_version + 1,
      })
      .where("id", "=", bron.id)
      .where("owner_id", "=", ownerId)
      .execute();
  }
}

async function requireBron(db: Kysely<Database>, ownerId: string, bronId: string): Promise<void> {
  const found = isUuid(bronId)
    ? await db
        .selectFrom("brons")
        .select("id")
        .where("id", "=", bronId)
        .where("owner_id", "=", ownerId)
        .forNoKeyUpdate()
        .executeTakeFirst()
    : undefined;
  if (!found) throw bronNotFound(bronId);
}

function wordsOf(ownerId: string, text: string) {
  return sql<string>`array_to_tsvector(${storedWords(ownerId, memoryWords(text))}::text[])`;
}
