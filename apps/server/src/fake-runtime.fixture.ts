import { BronError } from "@bron/core";
import {
  defaultCaps,
  type RunChange,
  type RunEvent,
  type RunView,
  type Scope,
} from "@bron/protocol";
import { createHmac, randomBytes, randomUUID } from "node:crypto";
import type { ServedRuntime } from "./app.ts";
import type { Answer } from "./stream/partial-text-board.ts";

export const runId = "3f9a1c20-1111-4222-8333-444455556666";

const at = "2026-11-15T12:00:00.000Z";
const someId = "00000000-0000-4000-8000-000000000000";
const someRun: RunView = {
  id: runId,
  ownerId: "local",
  bronId: someId,
  threadId: someId,
  parentRunId: null,
  retryOf: null,
  title: "task",
  prompt: "task",
  status: "executing",
  cancelRequested: false,
  runnable: true,
  summary: null,
  notDone: 0,
  error: null,
  caps: defaultCaps,
  lastSeq: 0,
  spentMicrousd: 0,
  createdAt: at,
  startedAt: at,
  finishedAt: null,
};

export interface FakeRuntime extends ServedRuntime {
  /** What the door asked for, by name. */
  readonly asked: string[];
  append(...events: readonly RunEvent[]): void;
  answer(answer: Answer): void;
  change(...changes: readonly RunChange[]): void;
  /** Changes may have been missed. */
  gap(): void;
  /** Subscriptions, followed answers and owners that nobody has ended, and slots that nobody gave back. */
  readonly open: { events: number; answers: number };
  readonly slots: { taken: number };
  /** The secret of a session that was just opened. */
  session(ownerId?: string): string;
  token(scopes: readonly Scope[], ownerId?: string): string;
}

type Changes = { [K in keyof ServedRuntime]?: Partial<ServedRuntime[K]> };

/** One run whose log a test writes; the same event objects go to all. What a test does not need is not found, and noted. */
export function fakeRuntime(log: RunEvent[] = [], changes: Changes = {}): FakeRuntime {
  const asked: string[] = [];
  const used = new Set<string>();
  const sessions = new Map<string, { id: string; ownerId: string; via: "link" }>();
  const tokens = new Map<string, { id: string; ownerId: string; scopes: readonly Scope[] }>();
  const readers = new Set<{ cursor: number; onEvents: (events: readonly RunEvent[]) => void }>();
  const followers = new Set<(answer: Answer) => void>();
  const watchers = new Set<{ onChange(changes: readonly RunChange[]): void; onGap(): void }>();
  const open = { events: 0, answers: 0 };
  const slots = { taken: 0 };
  let latest: Answer | undefined;
  const note = (name: string) => {
    asked.push(name);
    throw new BronError("not_found", `Nothing is behind ${name}.`);
  };
  const part = <Name extends keyof ServedRuntime>(
    name: Name,
    given: Partial<ServedRuntime[Name]> = {},
  ): ServedRuntime[Name] =>
    new Proxy(
      { ...given, ...(changes[name] as object) },
      {
        get: (known, method) =>
          (known as Record<string | symbol, unknown>)[method] ??
          (() => note(`${name}.${String(method)}`)),
      },
    ) as ServedRuntime[Name];
  const get = (_owner: string, id: string) => {
    asked.push("runs.get");
    const last = log.at(-1);
    const status = last?.type === "status" ? last.payload.status : "executing";
    if (id !== runId) return Promise.reject(new BronError("not_found", `Run ${id} not found.`));
    return Promise.resolve({ ...someRun, status, lastSeq: log.length });
  };
  const serve = (reader: { cursor: number; onEvents: (events: readonly RunEvent[]) => void }) => {
    const fresh = log.slice(reader.cursor);
    reader.cursor = log.length;
    if (fresh.length > 0) reader.onEvents(fresh);
  };
  const session = (ownerId = "local") => {
    const secret = randomBytes(16).toString("base64url");
    sessions.set(secret, { id: randomUUID(), ownerId, via: "link" });
    return secret;
  };
  return {
    asked,
    open,
    slots,
    session,
    token(scopes, ownerId = "local") {
      const token = `bron_${randomBytes(24).toString("base64url")}`;
      tokens.set(token, { id: randomUUID(), ownerId, scopes });
      return token;
    },
    sign: (purpose, text) =>
      createHmac("sha256", "a secret").update(`${purpose}\n${text}`).digest("base64url"),
    useOnce: (key) => Promise.resolve(!used.has(key) && used.add(key) !== undefined),
    ping: () => Promise.resolve(),
    load: () => Promise.resolve({ runs: {}, approvalsPending: 0, oldestWaitingSeconds: 0 }),
    onDelta: () => () => undefined,
    tools: () => [],
    usage: () => note("usage"),
    runs: part("runs", {
      async listEvents(ownerId, id, { afterSeq, limit }) {
        await get(ownerId, id);
        return { events: log.slice(afterSeq, afterSeq + limit), lastSeq: log.length };
      },
      get,
      async subscribe(ownerId, id, { afterSeq, onEvents }) {
        await get(ownerId, id);
        open.events++;
        const reader = { cursor: afterSeq, onEvents };
        readers.add(reader);
        setImmediate(() => readers.has(reader) && serve(reader));
        return () => {
          if (readers.delete(reader)) open.events--;
        };
      },
    }),
    sessions: part("sessions", {
      open: (ownerId) => Promise.resolve({ id: "", secret: session(ownerId) }),
      find: (secret) => Promise.resolve(sessions.get(secret)),
      end(_ownerId, id) {
        for (const [secret, one] of sessions) if (one.id === id) sessions.delete(secret);
        return Promise.resolve();
      },
    }),
    tokens: part("tokens", { find: (token) => Promise.resolve(tokens.get(token)) }),
    rates: part("rates", {
      take: () => Promise.resolve({ ok: true }),
      giveBack: () => Promise.resolve(),
    }),
    streamSlots: part("streamSlots", {
      take(_ownerId, max) {
        if (max > 0 && slots.taken >= max) return Promise.resolve(undefined);
        slots.taken++;
        let isGiven = false;
        return Promise.resolve(() => {
          if (!isGiven) slots.taken--;
          isGiven = true;
        });
      },
    }),
    changes: part("changes", {
      subscribe(_ownerId, follower) {
        watchers.add(follower);
        return () => watchers.delete(follower);
      },
    }),
    partialTexts: part("partialTexts", {
      subscribe(_owner, _id, listener) {
        open.answers++;
        followers.add(listener);
        if (latest) listener(latest);
        return Promise.resolve(() => {
          if (followers.delete(listener)) open.answers--;
        });
      },
    }),
    brons: part("brons"),
    modelKeys: part("modelKeys"),
    approvals: part("approvals"),
    connections: part("connections"),
    effects: part("effects"),
    audit: part("audit"),
    permissions: part("permissions"),
    artifacts: part("artifacts"),
    uploads: part("uploads"),
    append(...events) {
      log.push(...events);
      for (const reader of readers) serve(reader);
    },
    answer(answer) {
      latest = answer;
      for (const follower of followers) follower(answer);
    },
    change(...some) {
      for (const watcher of watchers) watcher.onChange(some);
    },
    gap() {
      for (const watcher of watchers) watcher.onGap();
    },
  };
}

/** The next entry of a log. */
export function logEntry(seq: number, message = `entry ${seq}`): RunEvent {
  return {
    runId,
    seq,
    createdAt: "2026-11-15T12:00:00.000Z",
    type: "log",
    payload: { level: "info", message },
  };
}

export function statusEntry(seq: number, status: "completed" | "executing"): RunEvent {
  return { runId, seq, createdAt: "2026-11-15T12:00:00.000Z", type: "status", payload: { status } };
}
