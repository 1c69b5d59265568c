import type { Audit } from "@bron/core";
import { omitUndefined } from "@bron/protocol";
import { nextOf, type ServicesOf } from "./service.ts";

/** The audit log, newest first. Entries are never changed. */
export function auditServices({
  audit,
}: {
  readonly audit: Pick<Audit, "list" | "activity">;
}): ServicesOf<"GET /api/activity" | "GET /api/audit"> {
  return {
    async "GET /api/activity"({ caller: { ownerId }, query }) {
      return await audit.activity(ownerId, omitUndefined(query));
    },
    async "GET /api/audit"({ caller: { ownerId }, query }) {
      const page = await audit.list(ownerId, omitUndefined(query));
      return { audit: page, next: nextOf(page, query.limit) };
    },
  };
}
