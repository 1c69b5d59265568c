import { BronError } from "@bron/core";
import type { AuditKind, JsonObject } from "@bron/protocol";
import type { MemoryState, Owned } from "./memory-state.ts";

export const missing = (what: string) => new BronError("not_found", `No such ${what}.`);

export function withoutOwner<Row extends object>({
  ownerId: _,
  ...view
}: Owned<Row>): Omit<Owned<Row>, "ownerId"> {
  return view;
}

/** Oldest first. */
export const viewsOf = <Row extends object>(
  rows: ReadonlyMap<string, Owned<Row>>,
  ownerId: string,
) => [...rows.values()].filter((row) => row.ownerId === ownerId).map(withoutOwner);

export function find<Row>(
  rows: ReadonlyMap<string, Owned<Row>>,
  ownerId: string,
  id: string,
): Owned<Row> | undefined {
  const row = rows.get(id);
  return row?.ownerId === ownerId ? row : undefined;
}

export function remove<Row extends object>(
  rows: Map<string, Owned<Row>>,
  ownerId: string,
  { id, what }: { readonly id: string; readonly what: string },
) {
  const row = find(rows, ownerId, id);
  if (!row) throw missing(what);
  rows.delete(id);
  return withoutOwner(row);
}

/** Records a change of the owner's rules, with the row as details. */
export function noteChange(
  { audit }: MemoryState,
  ownerId: string,
  what: AuditKind,
  details: JsonObject,
): void {
  const { tool } = details;
  audit.add(ownerId, [
    { what, by: "owner", details, ...(typeof tool === "string" ? { tool } : {}) },
  ]);
}
