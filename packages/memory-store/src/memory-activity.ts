import {
  hasAllTerms,
  maxSearchedRows,
  searchTerms,
  unsearchedFields,
  type Audit,
} from "@bron/core";
import {
  activityKey,
  isOfKind,
  type ActivityView,
  type AuditView,
  type JsonValue,
} from "@bron/protocol";
import { findBron } from "./memory-brons.ts";
import { findRun, type MemoryState } from "./memory-state.ts";

/** The audit log, also with one row for each action. */
export function memoryActivity(state: MemoryState): Audit {
  const { write, list } = state.audit;
  return {
    write,
    list,
    async activity(ownerId, options) {
      const { before = Number.POSITIVE_INFINITY, limit = 50, runId, kind, search = "" } = options;
      const terms = searchTerms(search);
      const rows = await list(ownerId, { limit: Number.POSITIVE_INFINITY });
      // In the order of their newest entries, because `list` starts with it.
      const groups = [...Map.groupBy(rows, activityKey).values()].filter(
        ([newest]) =>
          newest !== undefined &&
          newest.id < before &&
          (runId === undefined || newest.runId === runId) &&
          (kind === undefined || isOfKind(newest, kind)),
      );
      const scanned = groups.slice(0, terms.length === 0 ? limit : maxSearchedRows);
      const activity = scanned
        .filter((group) => hasAllTerms(textOf(state, ownerId, group), terms))
        .slice(0, limit)
        .map((group) => viewOf(state, ownerId, group));
      const last = activity.length === limit ? activity.at(-1)?.id : undefined;
      const oldest = groups.length > scanned.length ? scanned.at(-1)?.[0]?.id : undefined;
      return { activity, next: last ?? oldest ?? null };
    },
  };
}

function viewOf(state: MemoryState, ownerId: string, group: readonly AuditView[]): ActivityView {
  const [newest] = group as [AuditView];
  const run = findRun(state, ownerId, newest.runId ?? "");
  const bron = run && findBron(state, ownerId, run.view.bronId);
  return {
    id: newest.id,
    at: newest.at,
    task: run ? { title: run.view.title, bronName: bron?.name ?? "" } : null,
    entries: group.toReversed(),
  };
}

/** What an action says in its newest prepared form, or the details of another entry. */
function textOf(state: MemoryState, ownerId: string, group: readonly AuditView[]): string {
  const [newest] = group as [AuditView];
  const run = findRun(state, ownerId, newest.runId ?? "");
  const prepared = run?.prepared.get(newest.effectId ?? "");
  return [
    ...group
      .filter(({ effectId }) => effectId === newest.effectId)
      .map(({ details }): JsonValue => details as JsonValue),
    prepared ?? "",
  ]
    .flatMap(searchedTexts)
    .join(" ");
}

function searchedTexts(value: JsonValue): string[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return textsIn(value);
  return Object.entries(value).flatMap(([name, inner]) =>
    inner === undefined || unsearchedFields.includes(name) ? [] : textsIn(inner),
  );
}

function textsIn(value: JsonValue): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap((inner) => (inner === undefined ? [] : textsIn(inner)));
}
