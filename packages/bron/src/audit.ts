import type { Audit, ListAudit } from "@bron/core";
import { omitUndefined, type AuditView } from "@bron/protocol";

export interface AuditService {
  /** Newest first. */
  page(ownerId: string, options?: ListAudit): Promise<AuditView[]>;
  /** All of it, newest first, as far as it goes when each piece is read. */
  all(
    ownerId: string,
    options?: Pick<ListAudit, "runId" | "what">,
  ): AsyncGenerator<AuditView, void>;
}

const pageSize = 500;

export function createAudit(audit: Pick<Audit, "page">): AuditService {
  return {
    page: (ownerId, options = {}) => audit.page(ownerId, options),
    async *all(ownerId, options = {}) {
      for (let before: number | undefined; ;) {
        const rows = await audit.page(ownerId, {
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
