import {
  BronError,
  expiryEvent,
  finishEvent,
  takeEvent,
  type ClientActionMoment,
  type ClientActionRef,
  type ClientActionRow,
  type ClientActions,
} from "@bron/core";
import type { ClientActionView, NewEvent } from "@bron/protocol";
import { filterList } from "./filter-list.ts";
import { appendAndWake } from "./memory-appends.ts";
import type { MemoryRun } from "./memory-run.ts";
import { findRun, runsOf, type MemoryState } from "./memory-state.ts";

export function memoryClientActions(state: MemoryState): ClientActions {
  return {
    get: async (ownerId, ref) => {
      const found = find(state, ownerId, ref);
      return found && viewOf(found.action);
    },
    async list(ownerId, { openOnly, limit = 500, ...filter }) {
      const all = runsOf(state, ownerId)
        .flatMap((run) => [...run.clientActions.values()])
        .toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt));
      return filterList(state, all, filter)
        .filter((action) => openOnly !== true || isOpen(action))
        .slice(0, limit)
        .map(viewOf);
    },
    take: async (ownerId, { takenBy, ...ref }) =>
      change(state, ownerId, ref, (action, moment) => takeEvent(action, takenBy, moment)),
    finish: async (ownerId, { runId, actionId, ...report }) =>
      change(state, ownerId, { runId, actionId }, (action, moment) =>
        finishEvent(action, report, moment),
      ),
    async expireDue() {
      let expired = 0;
      for (const run of state.runs.values())
        for (const action of run.clientActions.values()) {
          const event = expiryEvent(action, momentOf(state, run));
          if (event && appendAndWake(state, run, [event])) expired++;
        }
      return expired;
    },
  };
}

const isOpen = ({ state }: ClientActionRow) => state === "pending" || state === "taken";

/** Without the hashes. */
function viewOf({ secretHash: _, takenBy: __, ...view }: ClientActionRow): ClientActionView {
  return view;
}

const momentOf = ({ now }: MemoryState, { view }: MemoryRun): ClientActionMoment => ({
  status: view.status,
  cancelRequested: view.cancelRequested,
  now: now(),
});

function find(state: MemoryState, ownerId: string, { runId, actionId }: ClientActionRef) {
  const run = findRun(state, ownerId, runId);
  const action = run?.clientActions.get(actionId);
  return run && action && { run, action };
}

function change(
  state: MemoryState,
  ownerId: string,
  ref: ClientActionRef,
  eventFor: (action: ClientActionRow, moment: ClientActionMoment) => NewEvent | undefined,
): ClientActionView {
  const found = find(state, ownerId, ref);
  if (!found) throw new BronError("not_found", `Action ${ref.actionId} not found.`);
  const { run, action } = found;
  const event = eventFor(action, momentOf(state, run));
  if (event) appendAndWake(state, run, [event]);
  return viewOf(run.clientActions.get(action.id) ?? action);
}
