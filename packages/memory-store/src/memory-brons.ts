import {
  avatarColors,
  bronArchivedEntry,
  bronChangedEntry,
  BronError,
  bronIsArchived,
  bronNotFound,
  defaultBronName,
  defaultBronStays,
  bronStatusOf,
  nothingToUndo,
  pickColor,
  summaryUndoneEntry,
  type Brons,
  type ChangedBronRow,
} from "@bron/core";
import type { BronView } from "@bron/protocol";
import { keepSummary } from "./apply-summaries.ts";
import { countAsking } from "./memory-approvals.ts";
import type { MemoryRun } from "./memory-run.ts";
import { ensureOwner, stamp, type MemoryBron, type MemoryState } from "./memory-state.ts";
import { waitOf } from "./memory-waits.ts";

const dayMs = 24 * 3_600_000;

export function memoryBrons(state: MemoryState): Brons {
  const { audit, brons, uuid } = state;
  return {
    async list(ownerId) {
      ensureBron(state, ownerId);
      return bronsOf(state, ownerId)
        .map((bron) => viewOf(state, bron))
        .toSorted((a, b) => compare(b.lastActivityAt, a.lastActivityAt) || compare(a.id, b.id));
    },
    async get(ownerId, bronId) {
      const bron = findBron(state, ownerId, bronId);
      return bron && viewOf(state, bron);
    },
    async create(
      ownerId,
      { name, avatarColor, systemPrompt, personaSource, trustLevel, tools, model, skills },
    ) {
      ensureBron(state, ownerId);
      const id = uuid();
      const taken = bronsOf(state, ownerId).map((bron) => bron.avatarColor);
      brons.set(id, {
        id,
        ownerId,
        name,
        avatarColor: avatarColor ?? pickColor(taken),
        systemPrompt,
        personaSource,
        ...noSummary,
        trustLevel,
        tools: tools ?? null,
        model: model ?? null,
        skills: skills ?? null,
        maxCostMicrousd: null,
        isDefault: false,
        archivedAt: null,
        createdAt: stamp(state),
      });
      audit.add(ownerId, [
        { what: "bron.created", by: "owner", details: { bronId: id, name, trustLevel } },
      ]);
      return id;
    },
    async change(ownerId, bronId, changes) {
      const bron = findBron(state, ownerId, bronId);
      if (!bron) throw new BronError("not_found", `Bron ${bronId} not found.`);
      const changed = changedFields.filter(
        (name) => changes[name] !== undefined && !isSame(changes[name], bron[name]),
      );
      if (changed.length === 0) return;
      if (changed.includes("memorySummary")) keepSummary(state, bron);
      Object.assign(bron, Object.fromEntries(changed.map((name) => [name, changes[name]])));
      audit.add(ownerId, [bronChangedEntry(bronId, changes, changed)]);
    },
    async undoSummary(ownerId, bronId) {
      const bron = findBron(state, ownerId, bronId);
      if (!bron) throw bronNotFound(bronId);
      const { memoryBefore } = bron;
      if (memoryBefore === null) throw nothingToUndo();
      keepSummary(state, bron);
      Object.assign(bron, { memorySummary: memoryBefore, memoryBefore: null });
      audit.add(ownerId, [summaryUndoneEntry(bronId)]);
    },
    async setArchived(ownerId, bronId, isArchived) {
      const bron = findBron(state, ownerId, bronId);
      if (!bron) throw new BronError("not_found", `Bron ${bronId} not found.`);
      if (bron.isDefault && isArchived) throw defaultBronStays();
      if ((bron.archivedAt !== null) === isArchived) return;
      bron.archivedAt = isArchived ? stamp(state) : null;
      audit.add(ownerId, [bronArchivedEntry(bronId, bron.name, isArchived)]);
    },
  };
}

const changedFields = [
  "name",
  "avatarColor",
  "systemPrompt",
  "personaSource",
  "memorySummary",
  "memoryOn",
  "tools",
  "model",
  "skills",
  "maxCostMicrousd",
] as const satisfies readonly (keyof ChangedBronRow)[];

const noSummary = {
  memorySummary: "",
  memoryBefore: null,
  memoryUpdatedAt: null,
  memoryVersion: 0,
  memoryOn: true,
};

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** The given Bron, or the owner's default Bron, which is created on first use. Throws not_found. */
export function ensureBron(
  state: MemoryState,
  ownerId: string,
  bronId?: string | null,
): MemoryBron {
  if (bronId !== undefined && bronId !== null) {
    const found = findBron(state, ownerId, bronId);
    if (!found) throw new BronError("not_found", `Bron ${bronId} not found.`);
    return found;
  }
  const known = bronsOf(state, ownerId).find(({ isDefault }) => isDefault);
  return known ?? addDefaultBron(state, ownerId, state.uuid());
}

export function addDefaultBron(state: MemoryState, ownerId: string, id: string): MemoryBron {
  ensureOwner(state, ownerId);
  const bron: MemoryBron = {
    id,
    ownerId,
    name: defaultBronName,
    avatarColor: avatarColors[0],
    systemPrompt: "",
    personaSource: "typed",
    ...noSummary,
    trustLevel: "supervised",
    tools: null,
    model: null,
    skills: null,
    maxCostMicrousd: null,
    isDefault: true,
    archivedAt: null,
    createdAt: stamp(state),
  };
  state.brons.set(id, bron);
  return bron;
}

/** Throws invalid_input for an archived Bron. */
export function requireActiveBron({ name, archivedAt }: MemoryBron): void {
  if (archivedAt !== null) throw bronIsArchived(name);
}

export function findBron(
  { brons }: MemoryState,
  ownerId: string,
  bronId: string,
): MemoryBron | undefined {
  const bron = brons.get(bronId);
  return bron?.ownerId === ownerId ? bron : undefined;
}

const bronsOf = ({ brons }: MemoryState, ownerId: string) =>
  [...brons.values()].filter((bron) => bron.ownerId === ownerId);

function viewOf(
  state: MemoryState,
  { ownerId: _, memoryVersion: _version, ...bron }: MemoryBron,
): BronView {
  const runs = [...state.runs.values()].filter(
    ({ view, kind }) => view.bronId === bron.id && kind === undefined,
  );
  const latest = latestRun(runs);
  const finishedAt = latest?.view.finishedAt ?? null;
  const endedLately = finishedAt !== null && Date.parse(finishedAt) > state.now() - dayMs;
  const approvals = runs.flatMap((run) => [...run.approvals.values()]);
  return {
    ...bron,
    status: bronStatusOf(latest?.view.status ?? null, endedLately),
    latestRun: latest
      ? {
          id: latest.view.id,
          title: latest.view.title,
          status: latest.view.status,
          notDone: latest.view.notDone,
          outcome: latest.view.outcome,
          waitsFor: waitOf(state, latest),
        }
      : null,
    latestCard: latest?.card ?? null,
    pendingApprovals: countAsking(state, approvals),
    lastActivityAt: runs
      .map(({ view, events }) => view.finishedAt ?? events.at(-1)?.createdAt ?? view.createdAt)
      .reduce((latestAt, at) => (at > latestAt ? at : latestAt), bron.createdAt),
  };
}

/** One that waits for a person, else an active one, else the one that ended last. */
function latestRun(runs: readonly MemoryRun[]): MemoryRun | undefined {
  const place = ({ status, finishedAt }: MemoryRun["view"]) => {
    if (finishedAt !== null) return 4;
    return status === "awaiting_confirmation" ? 1 : status === "awaiting_auth" ? 2 : 3;
  };
  return runs
    .filter(({ view }) => view.parentRunId === null)
    .toReversed()
    .toSorted(
      ({ view: a }, { view: b }) =>
        place(a) - place(b) || compare(b.finishedAt ?? "", a.finishedAt ?? ""),
    )[0];
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
