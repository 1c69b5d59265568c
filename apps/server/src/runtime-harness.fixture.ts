import type { Lease, Store } from "@bron/core";
import { memoryStore, type MemoryStore } from "@bron/memory-store";
import {
  defaultCaps,
  emptyRunResult,
  isParked,
  isTerminal,
  logVersion,
  type PartialText,
  type RunEvent,
  type RunStatus,
  type Scope,
  omitUndefined,
} from "@bron/protocol";
import { createRuntime, type RuntimeWithAccess } from "@bron/runtime";
import { memoryAccess, scriptedLanguageModel } from "@bron/testing";

export const runId = "3f9a1c20-1111-4222-8333-444455556666";
export const ownerId = "local";

const at = "2026-11-15T12:00:00.000Z";
const someId = "00000000-0000-4000-8000-000000000000";
const leaseMs = 60_000;

export interface RuntimeHarness {
  /** The caller closes it. It counts subscriptions in `open`. */
  readonly runtime: RuntimeWithAccess;
  readonly store: MemoryStore;
  /** Names of the methods of the store that were called. */
  readonly asked: string[];
  /** Subscriptions that are still open. */
  readonly open: { events: number; texts: number };
  /** Appends to the log of the run, as another process would. A status may park or end the run. */
  append(...events: readonly RunEvent[]): Promise<void>;
  /** Appends, and parks the run. */
  park(...events: readonly RunEvent[]): Promise<void>;
  /** Shown while the run has the status `planning`. */
  setPartialText(text: PartialText): Promise<void>;
  /** Stream slots that are still taken. */
  slotCount(): number;
  /** Opens a session and returns its secret. */
  session(ofOwner?: string): Promise<string>;
  token(scopes: readonly Scope[], ofOwner?: string): Promise<string>;
}

export interface HarnessOptions {
  /** Changes methods of the store. */
  readonly wrap?: (store: Store) => Store;
}

/**
 * A runtime on a memory store, with one run of the owner. Its model is never called, because the
 * test writes the log of the run.
 */
export async function openHarness(
  log: readonly RunEvent[] = [logEntry(1)],
  { wrap = (store) => store }: HarnessOptions = {},
): Promise<RuntimeHarness> {
  const store = memoryStore({ now: () => Date.parse(at) });
  const access = memoryAccess();
  const asked: string[] = [];
  openRun(store, log);
  const runtime = await createRuntime({
    store,
    access,
    work: "none",
    wrap: (base) => recordCalls(wrap(base), asked),
    model: {
      model: scriptedLanguageModel(() => ({ text: "Done." })),
      name: "scripted",
      maxOutputTokens: 100,
    },
  });
  const open = { events: 0, texts: 0 };
  const write = createWriter(store);
  return {
    runtime: countSubscriptions(runtime, open),
    store,
    asked,
    open,
    append: (...events) => write(events, releaseOf(events)),
    park: (...events) => write(events, "park"),
    async setPartialText(text) {
      await store.partialTexts.put(new Map([[runId, text]]));
      store.feed.partialTextChanged(runId);
    },
    slotCount: access.slotCount,
    session: async (ofOwner = ownerId) =>
      (await runtime.sessions.open(ofOwner, { via: "link", userAgent: "", lifeMs: 3_600_000 }))
        .secret,
    token: async (scopes, ofOwner = ownerId) =>
      (await runtime.tokens.create(ofOwner, { name: "test", scopes: [...scopes], days: 1 })).token,
  };
}

function openRun(store: MemoryStore, events: readonly RunEvent[]): void {
  store.openLog({
    logVersion,
    run: {
      id: runId,
      ownerId,
      bronId: someId,
      threadId: someId,
      parentRunId: null,
      retryOf: null,
      title: "task",
      prompt: "task",
      caps: defaultCaps,
      runnable: true,
      ...emptyRunResult,
      spentMicrousd: 0,
      createdAt: at,
    },
    attachedContext: [],
    earlier: [],
    events,
    usedApprovals: [],
    tokenHashes: {},
    settled: {},
  });
}

/** Writes to the log as the worker that holds the run. */
function createWriter({ log }: MemoryStore) {
  let lease: Lease | undefined;
  return async (events: readonly RunEvent[], release: "park" | "end" | undefined) => {
    const limits = { takeOverUntil: 0, serves: [], maxPerOwner: 1, maxInAll: 1 };
    const claimed = lease
      ? undefined
      : await log.claim({ runId, worker: "test", leaseMs, ...limits });
    if (claimed?.claimed === true) lease = claimed.lease;
    if (!lease) throw new TypeError("The run cannot be claimed.");
    const seen = (events[0]?.seq ?? 1) - 1;
    const appended = await log.append({
      lease,
      seen,
      events: events.map(({ type, payload }) => ({ type, payload }) as RunEvent),
      leaseMs,
      ...omitUndefined({ release }),
    });
    if (!appended.ok) throw new TypeError(`The append was refused: ${appended.reason}.`);
  };
}

function releaseOf(events: readonly RunEvent[]): "park" | "end" | undefined {
  const last = events.at(-1);
  if (last?.type !== "status") return undefined;
  if (isTerminal(last.payload.status)) return "end";
  return isParked(last.payload.status) ? "park" : undefined;
}

function recordCalls(store: Store, asked: string[]): Store {
  const recorded = (name: string, methods: object) =>
    Object.fromEntries(
      Object.entries(methods).map(([method, call]) => [
        method,
        (...input: unknown[]) => {
          asked.push(`${name}.${method}`);
          return (call as (...input: unknown[]) => unknown)(...input);
        },
      ]),
    );
  const {
    feed: _feed,
    setWaker: _setWaker,
    readLog: _readLog,
    openLog: _openLog,
    ...ports
  } = store as MemoryStore;
  return Object.fromEntries(
    Object.entries(ports).map(([name, methods]) => [name, recorded(name, methods)]),
  ) as unknown as Store;
}

function countSubscriptions(
  runtime: RuntimeWithAccess,
  open: RuntimeHarness["open"],
): RuntimeWithAccess {
  const counted = (kind: keyof typeof open, unsubscribe: () => void) => {
    open[kind]++;
    let isOpen = true;
    return () => {
      if (isOpen) open[kind]--;
      isOpen = false;
      unsubscribe();
    };
  };
  return {
    ...runtime,
    logs: {
      ...runtime.logs,
      subscribe: async (...input) => counted("events", await runtime.logs.subscribe(...input)),
    },
    partialTexts: {
      subscribe: async (...input) =>
        counted("texts", await runtime.partialTexts.subscribe(...input)),
    },
  };
}

/** A log event with this seq. */
export function logEntry(seq: number, message = `entry ${seq}`): RunEvent {
  return { runId, seq, createdAt: at, type: "log", payload: { level: "info", message } };
}

export function statusEntry(seq: number, status: RunStatus): RunEvent {
  return { runId, seq, createdAt: at, type: "status", payload: { status } };
}
