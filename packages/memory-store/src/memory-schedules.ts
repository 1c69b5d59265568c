import {
  BronError,
  isBudgetSpent,
  moveDue,
  nextTimes,
  requireNextTime,
  scheduledRun,
  scheduleEnded,
  scheduleEntry,
  scheduleNotFound,
  tooManySchedules,
  type DueWatch,
  type NewSchedule,
  type RecordedPoll,
  type Schedule,
  type ScheduledRun,
  type Schedules,
} from "@bron/core";
import {
  isTerminal,
  maxScheduleFailures,
  maxSchedulesPerOwner,
  omitUndefined,
  type Caps,
} from "@bron/protocol";
import { ensureBron, findBron, requireActiveBron } from "./memory-brons.ts";
import { useOf } from "./memory-budgets.ts";
import { createRun } from "./memory-create-run.ts";
import type { MemoryRun } from "./memory-run.ts";
import {
  ensureOwner,
  runsOf,
  stamp,
  type MemorySchedule,
  type MemoryState,
} from "./memory-state.ts";

export function memorySchedules(state: MemoryState): Schedules {
  const { audit, schedules } = state;
  return {
    create: async (ownerId, schedule) => create(state, ownerId, schedule),
    async get(ownerId, id) {
      const found = schedules.get(id)?.row;
      return found?.ownerId === ownerId ? found : undefined;
    },
    list: async (ownerId) =>
      [...schedules.values()]
        .map(({ row }) => row)
        .filter((row) => row.ownerId === ownerId)
        .toReversed(),
    lastRuns: async (ownerId, ids) =>
      new Map(
        ids.flatMap((id): [string, ScheduledRun[]][] => {
          const runs = runsOf(state, ownerId).filter(({ view }) => view.scheduleId === id);
          return runs.length === 0 ? [] : [[id, runs.slice(-3).toReversed().map(toScheduledRun)]];
        }),
      ),
    ...scheduleChanges(state),
    async runNow(ownerId, id, { key, caps }) {
      const { row } = find(state, ownerId, id);
      const run = scheduledRun(row, { key: `now ${key}`, dueAt: null, caps });
      const created = createRun(state, run);
      if (created.created) audit.add(ownerId, [scheduleEntry("started", row)]);
      return created;
    },
    async startDue({ limit, caps }) {
      countEnds(state);
      const due = [...schedules.values()].filter((schedule) => isDue(state, schedule));
      const taken = due.slice(0, limit);
      for (const schedule of taken) moveOne(state, schedule, caps);
      return taken.length;
    },
    takeDueWatches: async (limit) => takeDueWatches(state, limit),
    recordPoll: async (poll, caps) => recordPoll(state, poll, caps),
    async pauseLost(ownerId, id, problem) {
      const schedule = find(state, ownerId, id);
      if (schedule.row.state !== "active") return;
      schedule.row = { ...schedule.row, problem, ...pausedBy("account_lost") };
      addPaused(state, schedule.row);
    },
  };
}

/** What the owner changes about a schedule that exists. */
function scheduleChanges(
  state: MemoryState,
): Pick<Schedules, "change" | "pause" | "resume" | "remove"> {
  const { audit, now, schedules } = state;
  const change = (
    ownerId: string,
    id: string,
    how: "changed" | "paused" | "resumed",
    work: (row: Schedule) => Schedule | undefined,
  ) => {
    const schedule = find(state, ownerId, id);
    const changed = work(schedule.row);
    if (!changed) return;
    schedule.row = changed;
    audit.add(ownerId, [scheduleEntry(how, schedule.row)]);
  };
  return {
    async change(ownerId, id, { timing, ...changes }) {
      change(ownerId, id, "changed", (row) => {
        const { program: _, ...typed } = row;
        const base = changes.prompt === undefined ? row : { ...typed, isProposed: false };
        const merged = { ...base, ...changes, ...timing };
        const isMoved = timing !== undefined || changes.endAt !== undefined;
        if (!isMoved || row.state === "paused") return merged;
        const next = requireNextTime(merged, { after: now(), endAt: merged.endAt });
        return { ...merged, nextAt: toIso(next), state: "active", reason: null };
      });
    },
    async pause(ownerId, id) {
      change(ownerId, id, "paused", (row) => {
        if (row.state === "ended") throw scheduleEnded();
        return row.state === "paused" ? undefined : { ...row, ...pausedBy("owner") };
      });
    },
    async resume(ownerId, id) {
      change(ownerId, id, "resumed", (row) => {
        if (row.state === "ended") throw scheduleEnded();
        if (row.state === "active") return undefined;
        const [next] = nextTimes(row, 1, { after: now(), endAt: row.endAt });
        if (next === undefined) throw scheduleEnded();
        const fresh = { reason: null, problem: null, failures: 0, nextAt: toIso(next) };
        return { ...row, state: "active", ...fresh };
      });
    },
    async remove(ownerId, id) {
      const { row } = find(state, ownerId, id);
      schedules.delete(id);
      audit.add(ownerId, [scheduleEntry("removed", row)]);
    },
  };
}

const toIso = (time: number) => new Date(time).toISOString();
const pausedBy = (reason: Schedule["reason"]) =>
  ({ state: "paused", reason, nextAt: null }) as const;

function addPaused({ audit }: MemoryState, row: Schedule): void {
  const reason = row.reason ?? "";
  audit.add(row.ownerId, [scheduleEntry("paused", row, { by: "system", reason })]);
}

function find({ schedules }: MemoryState, ownerId: string, id: string): MemorySchedule {
  const found = schedules.get(id);
  if (found?.row.ownerId !== ownerId) throw scheduleNotFound(id);
  return found;
}

function create(
  state: MemoryState,
  ownerId: string,
  { bronId, program, ...schedule }: NewSchedule,
): Schedule {
  const bron = ensureBron(state, ownerId, bronId);
  requireActiveBron(bron);
  const known = state.schedules.get(schedule.id);
  if (known?.row.ownerId === ownerId) return known.row;
  if (known) throw new BronError("conflict", "This id is taken.");
  const own = [...state.schedules.values()].filter(({ row }) => row.ownerId === ownerId);
  if (own.length >= maxSchedulesPerOwner) throw tooManySchedules();
  const next = requireNextTime(schedule, { after: state.now(), endAt: schedule.endAt });
  const row: Schedule = {
    ...schedule,
    ...omitUndefined({ program }),
    ownerId,
    bronId: bron.id,
    state: "active",
    reason: null,
    problem: null,
    failures: 0,
    // A watch polls at once, so that what is there now does not count later.
    nextAt: toIso(schedule.watch ? state.now() : next),
    skipped: null,
    createdAt: stamp(state),
  };
  state.schedules.set(row.id, { row, cursor: null });
  state.audit.add(ownerId, [scheduleEntry("created", row)]);
  return row;
}

const scheduledRuns = ({ runs }: MemoryState, id: string): MemoryRun[] =>
  [...runs.values()].filter(({ view, isScheduleOpen }) => isScheduleOpen && view.scheduleId === id);

const hasOpenRun = (state: MemoryState, id: string) =>
  scheduledRuns(state, id).some(({ view }) => !isTerminal(view.status));

function isDue(state: MemoryState, { row }: MemorySchedule): boolean {
  return (
    row.watch === null &&
    hasPassed(state, row) &&
    !(row.overlap === "wait" && hasOpenRun(state, row.id))
  );
}

const hasPassed = ({ now }: MemoryState, { state, nextAt }: Schedule) =>
  state === "active" && nextAt !== null && Date.parse(nextAt) <= now();

function moveOne(state: MemoryState, schedule: MemorySchedule, caps: Caps): void {
  const { row } = schedule;
  if (row.nextAt === null) return;
  if (findBron(state, row.ownerId, row.bronId)?.archivedAt !== null) {
    schedule.row = { ...row, ...pausedBy("bron_archived") };
    addPaused(state, schedule.row);
    return;
  }
  const dueAt = row.nextAt;
  const { starts, skipped, nextAt, reason } = moveDue(
    { ...row, nextAt: dueAt },
    {
      now: state.now(),
      isBudgetSpent: isBudgetSpent(useOf(state, ensureOwner(state, row.ownerId))),
      hasOpenRun: hasOpenRun(state, row.id),
    },
  );
  if (starts) createRun(state, scheduledRun(row, { key: dueAt, dueAt, caps }));
  schedule.row = {
    ...row,
    nextAt,
    reason,
    state: nextAt === null ? "ended" : row.state,
    skipped: skipped ? { at: dueAt, reason: skipped } : row.skipped,
  };
}

/** Counts what became of ended runs. Canceled ones change nothing. */
function countEnds(state: MemoryState): void {
  for (const schedule of state.schedules.values()) {
    const ended = scheduledRuns(state, schedule.row.id).filter(
      ({ view }) => view.finishedAt !== null,
    );
    if (ended.length === 0) continue;
    let { failures } = schedule.row;
    for (const run of ended.toSorted((a, b) => compareEnds(a, b))) {
      run.isScheduleOpen = false;
      if (run.view.status === "completed") failures = 0;
      if (run.view.status === "failed") failures++;
    }
    schedule.row = { ...schedule.row, failures };
    if (failures >= maxScheduleFailures && schedule.row.state === "active") {
      schedule.row = { ...schedule.row, ...pausedBy("failures") };
      addPaused(state, schedule.row);
    }
  }
}

const compareEnds = (a: MemoryRun, b: MemoryRun) =>
  Date.parse(a.view.finishedAt ?? "") - Date.parse(b.view.finishedAt ?? "");

function takeDueWatches(state: MemoryState, limit: number): DueWatch[] {
  const due = [...state.schedules.values()].filter(
    ({ row }) => row.watch !== null && hasPassed(state, row),
  );
  return due.slice(0, limit).flatMap((schedule): DueWatch[] => {
    const { row, cursor } = schedule;
    const anchor = Date.parse(row.nextAt ?? "");
    const [next] = nextTimes(row, 1, { after: state.now(), anchor, endAt: row.endAt });
    schedule.row =
      next === undefined
        ? { ...row, nextAt: null, state: "ended", reason: "end_date" }
        : { ...row, nextAt: toIso(next) };
    return row.watch && next !== undefined
      ? [{ schedule: { ...row, watch: row.watch }, cursor }]
      : [];
  });
}

function recordPoll(
  state: MemoryState,
  { scheduleId, ownerId, from, cursor, tasks }: RecordedPoll,
  caps: Caps,
): boolean {
  const schedule = state.schedules.get(scheduleId);
  if (schedule?.row.ownerId !== ownerId) return false;
  if (schedule.cursor !== from || schedule.row.state !== "active") return false;
  schedule.cursor = cursor;
  const dueAt = stamp(state);
  for (const [place, text] of tasks.entries())
    createRun(
      state,
      scheduledRun(schedule.row, { key: `${dueAt} ${place}`, dueAt, caps, context: [text] }),
    );
  return true;
}

const toScheduledRun = ({ view }: MemoryRun): ScheduledRun => ({
  id: view.id,
  dueAt: view.dueAt,
  status: view.status,
  outcome: view.outcome,
  createdAt: view.createdAt,
});
