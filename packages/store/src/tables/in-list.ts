import { isUuid } from "@bron/protocol";
import { sql, type RawBuilder } from "kysely";
import { selectTree } from "../runs/run-tree.ts";
import { uuidRange } from "./uuid-range.ts";

interface ListFilter {
  readonly runId?: string | undefined;
  readonly idPrefix?: string | undefined;
  readonly after?: string | undefined;
}

/**
 * The condition for rows in a list of what runs have, ordered by creation and id. Undefined if
 * nothing can match.
 */
export function inList(
  table: "approvals" | "questions" | "client_actions",
  ownerId: string,
  { runId, idPrefix, after }: ListFilter,
): RawBuilder<boolean> | undefined {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  const conditions = [sql<boolean>`true`];
  if (idPrefix !== undefined) {
    const range = uuidRange(idPrefix);
    if (!range) return undefined;
    conditions.push(
      sql<boolean>`${column("id")} between ${range.first}::uuid and ${range.last}::uuid`,
    );
  }
  if (runId !== undefined) {
    if (!isUuid(runId)) return undefined;
    // One array, so that the index on the run is used.
    conditions.push(sql<boolean>`${column("run_id")} = any (array(${selectTree(ownerId, runId)}))`);
  }
  if (after !== undefined) {
    if (!isUuid(after)) return undefined;
    conditions.push(
      sql<boolean>`(${column("created_at")}, ${column("id")}) > (select last.created_at, last.id
        from ${sql.table(table)} last where last.id = ${after} and last.owner_id = ${ownerId})`,
    );
  }
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}
