import {
  bronNotFound,
  memoryAddedEntry,
  memoryChangedEntry,
  memoryConfirmedEntry,
  memoryDigest,
  memoryForgottenEntry,
  memoryIsForgotten,
  memoryNotFound,
  memoryTextTaken,
  memoryWords,
  removeStatement,
  termWeight,
  type ChangedStatement,
  type FoundStatement,
  type ListMemory,
  type Memory,
  type Noted,
  type NotedStatement,
} from "@bron/core";
import type { MemoryEntry } from "@bron/protocol";
import { findBron } from "./memory-brons.ts";
import { stamp, type MemoryState } from "./memory-state.ts";
import type { StoredStatement } from "./stored-statement.ts";

export function memoryEntries(state: MemoryState): Memory {
  const find = (ownerId: string, id: string): StoredStatement => {
    const stored = state.memory.get(id);
    if (stored?.ownerId !== ownerId) throw memoryNotFound(id);
    return stored;
  };
  const set = (
    stored: StoredStatement,
    entry: Partial<MemoryEntry>,
    rest: Partial<Omit<StoredStatement, "entry">> = {},
  ): MemoryEntry => {
    stored.entry = { ...stored.entry, ...entry, updatedAt: stamp(state) };
    Object.assign(stored, rest);
    stored.place = nextPlace(state);
    return stored.entry;
  };
  return {
    async note(statement) {
      return note(state, set, { ...statement, digest: await memoryDigest(statement.text) });
    },
    search: async (ownerId, query) => search(state, ownerId, query),
    confirmed: async (ownerId, bronId, limit) =>
      newestOf(state, ownerId, { bronId, state: "confirmed", limit }).map(({ text, kind }) => ({
        text,
        kind,
      })),
    list: async (ownerId, options) => newestOf(state, ownerId, options),
    async get(ownerId, id) {
      const stored = state.memory.get(id);
      return stored?.ownerId === ownerId ? stored.entry : undefined;
    },
    async add(ownerId, { text, kind, bronId }) {
      if (bronId !== null) requireBron(state, ownerId, bronId);
      const digest = await memoryDigest(text);
      const known = ofOwner(state, ownerId).find(
        (stored) => stored.digest === digest && stored.entry.bronId === bronId,
      );
      const values = { text, kind, state: "confirmed", author: "owner", source: null } as const;
      const rest = { label: null, words: memoryWords(text), sourceRun: null };
      const entry = known
        ? set(known, values, rest)
        : insert(state, ownerId, { ...values, bronId }, { ...rest, digest });
      state.audit.add(ownerId, [memoryAddedEntry(entry)]);
      return entry;
    },
    async change(ownerId, id, changes) {
      const digest = changes.text === undefined ? undefined : await memoryDigest(changes.text);
      const stored = find(ownerId, id);
      return changeStored(state, set, stored, { ...changes, digest: digest ?? stored.digest });
    },
    async confirm(ownerId, id) {
      const stored = find(ownerId, id);
      if (stored.entry.state === "forgotten") throw memoryIsForgotten();
      if (stored.entry.state === "confirmed") return stored.entry;
      const entry = set(stored, { state: "confirmed" }, { label: null });
      state.audit.add(ownerId, [memoryConfirmedEntry(entry)]);
      return entry;
    },
    async forget(ownerId, id) {
      const stored = find(ownerId, id);
      if (stored.entry.state === "forgotten") return stored.entry;
      const { text } = stored.entry;
      const entry = set(
        stored,
        { state: "forgotten", text: "", source: null },
        { label: null, words: [] },
      );
      forgetInSummaries(state, stored, text);
      state.audit.add(ownerId, [memoryForgottenEntry(entry)]);
      return entry;
    },
  };
}

function changeStored(
  state: MemoryState,
  set: SetEntry,
  stored: StoredStatement,
  { digest, ...changes }: ChangedStatement & { readonly digest: string },
): MemoryEntry {
  const { ownerId, entry: before } = stored;
  if (before.state === "forgotten") throw memoryIsForgotten();
  const { text = before.text, kind = before.kind, bronId = before.bronId } = changes;
  const next = { text, kind, bronId };
  const changed = (["text", "kind", "bronId"] as const).filter(
    (name) => next[name] !== before[name],
  );
  if (changed.length === 0) return before;
  if (bronId !== null) requireBron(state, ownerId, bronId);
  const other = ofOwner(state, ownerId).find(
    (one) => one !== stored && one.digest === digest && one.entry.bronId === bronId,
  );
  if (other && other.entry.state !== "forgotten") throw memoryTextTaken();
  // What was forgotten gives its place to the text that the owner writes now.
  if (other) state.memory.delete(other.entry.id);
  const entry = set(stored, next, { digest, words: memoryWords(text) });
  state.audit.add(ownerId, [memoryChangedEntry(entry, changed)]);
  return entry;
}

type SetEntry = (
  stored: StoredStatement,
  entry: Partial<MemoryEntry>,
  rest?: Partial<Omit<StoredStatement, "entry">>,
) => MemoryEntry;

function note(
  state: MemoryState,
  set: SetEntry,
  statement: NotedStatement & { readonly digest: string },
): Noted {
  const { ownerId, bronId, text, digest, kind, source, label, isOwners, maxOfRun } = statement;
  requireBron(state, ownerId, bronId);
  const same = ofOwner(state, ownerId).filter(
    (stored) =>
      stored.digest === digest && (stored.entry.bronId === bronId || stored.entry.bronId === null),
  );
  const known =
    same.find(({ entry }) => entry.state === "confirmed") ??
    same.find(({ entry }) => entry.bronId === bronId) ??
    same[0];
  if (known?.entry.state === "forgotten" && !isOwners) return "forgotten";
  const isRaised = known?.entry.state === "suggested" && statement.state === "confirmed";
  if (known && known.entry.state !== "forgotten" && !isRaised)
    return { entry: known.entry, isNew: false };
  const values = { text, kind, state: statement.state, author: "bron", source } as const;
  const rest = { label, words: memoryWords(text), sourceRun: source.runId };
  if (known) return { entry: set(known, values, rest), isNew: false };
  const made = ofOwner(state, ownerId).filter(({ sourceRun }) => sourceRun === source.runId);
  if (made.length >= maxOfRun) return "limit";
  return { entry: insert(state, ownerId, { ...values, bronId }, { ...rest, digest }), isNew: true };
}

function insert(
  state: MemoryState,
  ownerId: string,
  entry: Omit<MemoryEntry, "id" | "createdAt" | "updatedAt">,
  rest: Pick<StoredStatement, "label" | "words" | "sourceRun" | "digest">,
): MemoryEntry {
  const at = stamp(state);
  const made = { ...entry, id: state.uuid(), createdAt: at, updatedAt: at };
  state.memory.set(made.id, { ...rest, ownerId, entry: made, place: nextPlace(state) });
  return made;
}

/** The same order as the statement of the Postgres store. */
function search(
  state: MemoryState,
  ownerId: string,
  { bronId, terms, limit }: Parameters<Memory["search"]>[1],
): FoundStatement[] {
  const all = ofOwner(state, ownerId).filter(
    ({ entry }) => entry.state !== "forgotten" && isUsedBy(entry, bronId),
  );
  const scores = new Map<StoredStatement, number>();
  for (const { word, stem } of terms) {
    const hits = all.filter(({ words }) => words.some((one) => one.startsWith(stem)));
    for (const hit of hits)
      scores.set(hit, (scores.get(hit) ?? 0) + termWeight(hits.length, hit.words.includes(word)));
  }
  const isConfirmed = ({ entry }: StoredStatement) => (entry.state === "confirmed" ? 1 : 0);
  return [...scores]
    .toSorted(
      ([a, scoreA], [b, scoreB]) =>
        scoreB - scoreA || isConfirmed(b) - isConfirmed(a) || b.place - a.place,
    )
    .slice(0, limit)
    .map(([{ entry, label }]) => ({ entry, label }));
}

function newestOf(
  state: MemoryState,
  ownerId: string,
  { state: wanted, bronId, words = [], idPrefix = "", limit, before }: ListMemory,
): MemoryEntry[] {
  const newestFirst = ofOwner(state, ownerId).toSorted((a, b) => b.place - a.place);
  const found = newestFirst.findIndex(({ entry }) => entry.id === before);
  if (before !== undefined && found === -1) return [];
  return newestFirst
    .slice(found + 1)
    .filter(
      ({ entry, words: known }) =>
        (wanted === undefined ? entry.state !== "forgotten" : entry.state === wanted) &&
        entry.id.startsWith(idPrefix) &&
        (bronId === undefined || isUsedBy(entry, bronId)) &&
        words.every((word) => known.some((one) => one.startsWith(word))),
    )
    .slice(0, limit)
    .map(({ entry }) => entry);
}

function forgetInSummaries(
  state: MemoryState,
  { ownerId, entry: { bronId } }: StoredStatement,
  text: string,
): void {
  for (const bron of state.brons.values()) {
    if (bron.ownerId !== ownerId || (bronId !== null && bron.id !== bronId)) continue;
    bron.memorySummary = removeStatement(bron.memorySummary, text);
    bron.memoryBefore =
      bron.memoryBefore === null ? null : removeStatement(bron.memoryBefore, text);
    // Also if nothing was removed: an upkeep run under way may have read the statement.
    bron.memoryVersion++;
  }
}

function requireBron(state: MemoryState, ownerId: string, bronId: string): void {
  if (!findBron(state, ownerId, bronId)) throw bronNotFound(bronId);
}

const isUsedBy = (entry: MemoryEntry, bronId: string) =>
  entry.bronId === null || entry.bronId === bronId;

const ofOwner = ({ memory }: MemoryState, ownerId: string) =>
  [...memory.values()].filter((stored) => stored.ownerId === ownerId);

function nextPlace({ memory }: MemoryState): number {
  return Math.max(0, ...[...memory.values()].map(({ place }) => place)) + 1;
}
