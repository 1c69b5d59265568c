import type { Audit, NewAudit } from "@bron/core";
import type { AuditView } from "@bron/protocol";

export interface MemoryAudit extends Audit {
  add(ownerId: string, entries: readonly NewAudit[]): void;
}

export function createMemoryAudit(stamp: () => string): MemoryAudit {
  const rows: (AuditView & { readonly ownerId: string })[] = [];
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
        id: rows.length + 1,
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
