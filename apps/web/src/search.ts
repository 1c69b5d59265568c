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

/** The passage of a task that a link leads to. */
export interface RunSearch {
  /** The step whose result has it. */
  readonly step?: string;
  /** Words of it. */
  readonly find?: string;
  /** Words that come before it, such as the subject of an email. */
  readonly after?: string;
}

/** The task of a conversation that a link leads to. */
export interface ThreadSearch extends RunSearch {
  readonly task?: string;
}

export function readThreadSearch(search: Record<string, unknown>): ThreadSearch {
  const { task } = search;
  return { ...readRunSearch(search), ...(typeof task === "string" ? { task } : {}) };
}

export function readRunSearch({ step, find, after }: Record<string, unknown>): RunSearch {
  const text = (value: unknown) =>
    // The router reads digits as a number.
    typeof value === "string" || typeof value === "number" ? String(value) : undefined;
  return omitUndefined({ step: text(step), find: text(find), after: text(after) });
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
