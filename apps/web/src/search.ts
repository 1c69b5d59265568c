import {
  omitUndefined,
  activityKinds,
  bronStatuses,
  threadStates,
  type ActivityKind,
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
  readonly kind?: ActivityKind;
  readonly runId?: string;
  readonly search?: string;
}

/** What the list of tasks shows. */
export const taskFilters = [...threadStates, "archived"] as const;
export type TaskFilter = (typeof taskFilters)[number];

export interface TasksSearch {
  /** Words to find. */
  readonly q?: string;
  readonly show?: TaskFilter;
}

export function readTasksSearch({ q, show }: Record<string, unknown>): TasksSearch {
  // The router reads digits as a number.
  const words = typeof q === "string" || typeof q === "number" ? String(q) : "";
  return omitUndefined({
    q: words === "" ? undefined : words.slice(0, maxWords),
    show: taskFilters.find((filter) => filter === show),
  });
}

/** The server accepts no longer query. */
const maxWords = 200;

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
interface ThreadSearch extends RunSearch {
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

export function readAuditSearch({ kind, runId, search }: Record<string, unknown>): AuditSearch {
  const known = activityKinds.find((candidate) => candidate === kind);
  // The router reads digits as a number.
  const words = typeof search === "number" ? String(search) : search;
  return {
    ...omitUndefined({ kind: known }),
    ...(typeof runId === "string" && /^[0-9a-f-]{36}$/.test(runId) ? { runId } : {}),
    ...(typeof words === "string" && words !== "" ? { search: words.slice(0, 200) } : {}),
  };
}

export const usagePeriods = [7, 30, 90] as const;
export type UsagePeriod = (typeof usagePeriods)[number];

/** Without a value: seven days, as charts. */
export interface UsageSearch {
  readonly days?: UsagePeriod;
  readonly view?: "table";
}

export function readUsageSearch({ days, view }: Record<string, unknown>): UsageSearch {
  const period = usagePeriods.find((candidate) => candidate === days);
  return {
    ...omitUndefined({ days: period }),
    ...(view === "table" ? { view } : {}),
  };
}
