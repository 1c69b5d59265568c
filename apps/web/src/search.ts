import {
  omitUndefined,
  auditFilters,
  bronStatuses,
  type AuditFilter,
  type BronStatus,
} from "@bron/protocol";

/**
 * The filters of lists are in the URL, so that they survive Back and sharing. Invalid values are
 * ignored.
 */

export interface BronsSearch {
  readonly status?: BronStatus;
}

export interface AuditSearch {
  readonly what?: AuditFilter;
  readonly runId?: string;
}

export function readBronsSearch({ status }: Record<string, unknown>): BronsSearch {
  const known = bronStatuses.find((candidate) => candidate === status);
  return known === undefined ? {} : { status: known };
}

export function readAuditSearch({ what, runId }: Record<string, unknown>): AuditSearch {
  const known = auditFilters.find((candidate) => candidate === what);
  return {
    ...omitUndefined({ what: known }),
    ...(typeof runId === "string" && /^[0-9a-f-]{36}$/.test(runId) ? { runId } : {}),
  };
}
