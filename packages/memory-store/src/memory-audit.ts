import type { Audit, NewAudit } from "@bron/core";
import type { AuditView } from "@bron/protocol";

export interface MemoryAudit extends Pick<Audit, "write" | "list"> {
  add(ownerId: string, entries: readonly NewAudit[]): void;
}

/** Keeps the newest `maxRows` rows. */
export function createMemoryAudit(stamp: () => string, maxRows: number): MemoryAudit {
  let rows: (AuditView & { readonly ownerId: string })[] = [];
  let lastId = 0;
  const add = (ownerId: string, entries: readonly NewAudit[]) => {
    for (const {
      what,
      by,
      runId = null,
      actionId = null,
      effectId = null,
      approvalId = null,
      tool = null,
      digest = null,
      details = {},
    } of entries) {
      rows.push({
        ownerId,
        id: ++lastId,
        at: stamp(),
        what,
        by,
        runId,
        actionId,
        effectId,
        approvalId,
        tool,
        digest,
        details,
      });
    }
    // In blocks, because removing a single row copies all of them.
    if (rows.length > maxRows * 1.1) rows = rows.slice(-maxRows);
  };
  return {
    add,
    write: async (ownerId, entry) => add(ownerId, [entry]),
    async list(ownerId, { before = Number.POSITIVE_INFINITY, limit = 50, runId, what }) {
      return rows
        .filter(
          (row) =>
            row.ownerId === ownerId &&
            row.id < before &&
            (runId === undefined || row.runId === runId) &&
            (what === undefined || row.what === what || row.what.startsWith(`${what}.`)),
        )
        .toReversed()
        .slice(0, limit)
        .map(({ ownerId: _, ...view }) => view);
    },
  };
}
