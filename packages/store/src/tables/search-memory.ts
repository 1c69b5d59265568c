import { stemWeight, type FoundStatement, type ListMemory, type Memory } from "@bron/core";
import { isUuid, type Label, type MemoryEntry } from "@bron/protocol";
import { sql, type Kysely, type Selectable } from "kysely";
import { createHash } from "node:crypto";
import type pg from "pg";
import type { Database } from "../database/schema.ts";
import { toMemoryEntry } from "./rows.ts";
import { uuidRange } from "./uuid-range.ts";

type FoundRow = Selectable<Database["memory_entries"]> & { readonly label: Label | null };

/**
 * Stands before each word of an owner's entries, so that the index itself leaves out the entries of
 * others.
 */
const markOf = (ownerId: string) => createHash("md5").update(ownerId).digest("hex").slice(0, 8);

/** The words of an entry as they are stored. */
export function storedWords(ownerId: string, words: readonly string[]): string[] {
  return words.map((word) => markOf(ownerId) + word);
}

/**
 * Each term weighs what `termWeight` says. A branch for each term lets the planner know how frequent
 * it is.
 */
function searchStatement(terms: number): string {
  const hits = Array.from({ length: terms }, (_, index) => {
    const [word, stem] = [`$${index * 2 + 4}`, `$${index * 2 + 5}`];
    return `(select e.id, e.state, e.updated_at, count(*) over () as found, e.words @@ ${word}::tsquery as is_whole
    from memory_entries e where e.words @@ ${stem}::tsquery and e.owner_id = $1
      and e.state <> 'forgotten' and (e.bron_id is null or e.bron_id = $2))`;
  });
  return `
with hit as materialized (${hits.join("\n  union all ")}),
best as (
  select id, sum(ln(1 + 1000.0::float8 / found) * case when is_whole then 1 else ${stemWeight} end) as score
  from hit group by id, state, updated_at
  order by score desc, state = 'confirmed' desc, updated_at desc, id limit $3
)
select e.* from best join memory_entries e using (id)
order by best.score desc, e.state = 'confirmed' desc, e.updated_at desc, e.id`;
}

export async function searchMemory(
  pool: pg.Pool,
  ownerId: string,
  { bronId, terms, limit }: Parameters<Memory["search"]>[1],
): Promise<FoundStatement[]> {
  if (terms.length === 0 || !isUuid(bronId)) return [];
  // Without a name: the plan depends on how frequent the words are.
  const { rows } = await pool.query<FoundRow>(searchStatement(terms.length), [
    ownerId,
    bronId,
    limit,
    // Words and stems have only letters and digits.
    ...terms.flatMap(({ word, stem }) => [
      `'${markOf(ownerId)}${word}'`,
      `'${markOf(ownerId)}${stem}':*`,
    ]),
  ]);
  return rows.map((row) => ({ entry: toMemoryEntry(row), label: row.label }));
}

export async function listMemory(
  db: Kysely<Database>,
  ownerId: string,
  { state, bronId, words = [], idPrefix, limit, before }: ListMemory,
): Promise<MemoryEntry[]> {
  let query = db.selectFrom("memory_entries").selectAll().where("owner_id", "=", ownerId);
  query =
    state === undefined
      ? query.where("state", "<>", "forgotten")
      : query.where("state", "=", state);
  if (bronId !== undefined) {
    if (!isUuid(bronId)) return [];
    query = query.where((eb) => eb.or([eb("bron_id", "=", bronId), eb("bron_id", "is", null)]));
  }
  if (idPrefix !== undefined) {
    const range = uuidRange(idPrefix);
    if (!range) return [];
    query = query.where("id", ">=", range.first).where("id", "<=", range.last);
  }
  if (words.length > 0) {
    const wanted = storedWords(ownerId, words).map((word) => `'${word}':*`);
    query = query.where(sql<boolean>`words @@ ${wanted.join(" & ")}::tsquery`);
  }
  if (before !== undefined) {
    if (!isUuid(before)) return [];
    query = query.where((eb) =>
      eb(
        eb.refTuple("updated_at", "id"),
        "<",
        eb
          .selectFrom("memory_entries")
          .select(["updated_at", "id"])
          .where("id", "=", before)
          .where("owner_id", "=", ownerId)
          .$asTuple("updated_at", "id"),
      ),
    );
  }
  const rows = await query
    .orderBy("updated_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map(toMemoryEntry);
}
