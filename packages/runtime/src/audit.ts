import type { Audit, ListAudit } from "@bron/core";
import { omitUndefined, type AuditView } from "@bron/protocol";

export interface AuditService {
  /** Newest first. */
  list(ownerId: string, options?: ListAudit): Promise<AuditView[]>;
  /** Yields the complete audit log, newest first. It reads page by page, without a snapshot. */
  all(
    ownerId: string,
    options?: Pick<ListAudit, "runId" | "what">,
  ): AsyncGenerator<AuditView, void>;
}

const pageSize = 500;

export function createAudit(audit: Pick<Audit, "list">): AuditService {
  return {
    list: (ownerId, options = {}) => audit.list(ownerId, options),
    async *all(ownerId, options = {}) {
      for (let before: number | undefined; ;) {
        const rows = await audit.list(ownerId, {
          ...options,
          limit: pageSize,
          ...omitUndefined({ before }),
        });
        yield* rows;
        before = rows.at(-1)?.id;
        if (rows.length < pageSize) return;
      }
    },
  };
}
