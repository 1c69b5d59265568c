import { BronError } from "@bron/core";
import {
  defaultCaps,
  type PartialText,
  type RunChange,
  type RunEvent,
  type RunView,
  type Scope,
} from "@bron/protocol";
import { createHmac, randomBytes, randomUUID } from "node:crypto";
import type { ServedRuntime } from "./app.ts";

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
  /** Names of the methods that the server called. */
  readonly asked: string[];
  append(...events: readonly RunEvent[]): void;
  setPartialText(text: PartialText): void;
  change(...changes: readonly RunChange[]): void;
  /** Signals that changes may have been missed. */
  gap(): void;
  /** Subscriptions that are still open, and stream slots that are still taken. */
  readonly open: { events: number; texts: number };
  readonly slots: { taken: number };
  /** Opens a session and returns its secret. */
  session(ownerId?: string): string;
  token(scopes: readonly Scope[], ownerId?: string): string;
}

type Changes = { [K in keyof ServedRuntime]?: Partial<ServedRuntime[K]> };

/**
 * A runtime with one run, whose log the test writes. All subscribers get the same event objects.
 * Every other method is recorded and throws not_found.
 */
export function fakeRuntime(log: RunEvent[] = [], changes: Changes = {}): FakeRuntime {
  const asked: string[] = [];
  const used = new Set<string>();
  const sessions = new Map<string, { id: string; ownerId: string; via: "link" }>();
  const tokens = new Map<string, { id: string; ownerId: string; scopes: readonly Scope[] }>();
  const readers = new Set<{ cursor: number; onEvents: (events: readonly RunEvent[]) => void }>();
  const textListeners = new Set<(text: PartialText) => void>();
  const changeSubscribers = new Set<{
    onChange(changes: readonly RunChange[]): void;
    onGap(): void;
  }>();
  const open = { events: 0, texts: 0 };
  const slots = { taken: 0 };
  let latest: PartialText | undefined;
  const note = (name: string) => {
    asked.push(name);
    throw new BronError("not_found", `${name} is not implemented.`);
  };
  const service = <Name extends keyof ServedRuntime>(
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
    runs: service("runs", {
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
    sessions: service("sessions", {
      open: (ownerId) => Promise.resolve({ id: "", secret: session(ownerId) }),
      find: (secret) => Promise.resolve(sessions.get(secret)),
      end(_ownerId, id) {
        for (const [secret, one] of sessions) if (one.id === id) sessions.delete(secret);
        return Promise.resolve();
      },
    }),
    tokens: service("tokens", { find: (token) => Promise.resolve(tokens.get(token)) }),
    rates: service("rates", {
      take: () => Promise.resolve({ ok: true }),
      refund: () => Promise.resolve(),
    }),
    streamSlots: service("streamSlots", {
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
    changes: service("changes", {
      subscribe(_ownerId, listener) {
        changeSubscribers.add(listener);
        return () => changeSubscribers.delete(listener);
      },
    }),
    partialTexts: service("partialTexts", {
      subscribe(_owner, _id, listener) {
        open.texts++;
        textListeners.add(listener);
        if (latest) listener(latest);
        return Promise.resolve(() => {
          if (textListeners.delete(listener)) open.texts--;
        });
      },
    }),
    brons: service("brons"),
    modelKeys: service("modelKeys"),
    approvals: service("approvals"),
    connections: service("connections"),
    effects: service("effects"),
    audit: service("audit"),
    permissions: service("permissions"),
    artifacts: service("artifacts"),
    uploads: service("uploads"),
    append(...events) {
      log.push(...events);
      for (const reader of readers) serve(reader);
    },
    setPartialText(text) {
      latest = text;
      for (const listener of textListeners) listener(text);
    },
    change(...some) {
      for (const subscriber of changeSubscribers) subscriber.onChange(some);
    },
    gap() {
      for (const subscriber of changeSubscribers) subscriber.onGap();
    },
  };
}

/** A log event with this seq. */
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
