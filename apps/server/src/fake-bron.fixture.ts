import { BronError } from "@bron/core";
import type { RunEvent, RunView } from "@bron/protocol";
import { createHmac } from "node:crypto";
import type { ServedBron } from "./app.ts";
import type { Answer } from "./stream/answer-board.ts";

export const runId = "3f9a1c20-1111-4222-8333-444455556666";

export interface FakeBron extends ServedBron {
  /** What the door asked for, by name. */
  readonly asked: string[];
  append(...events: readonly RunEvent[]): void;
  answer(answer: Answer): void;
  /** Subscriptions and followed answers that nobody has ended. */
  readonly open: { events: number; answers: number };
}

/** One run whose log a test writes; the same event objects go to all. */
export function fakeBron(log: RunEvent[] = [], changes: { [K in keyof ServedBron]?: Partial<ServedBron[K]> } = {}): FakeBron {
  const asked: string[] = [];
  const used = new Set<string>();
  const readers = new Set<{ cursor: number; onEvents: (events: readonly RunEvent[]) => void }>();
  const followers = new Set<(answer: Answer) => void>();
  const open = { events: 0, answers: 0 };
  let latest: Answer | undefined;
  const note = (name: string) => {
    asked.push(name);
    throw new BronError("not_found", `Nothing is behind ${name}.`);
  };
  const get = (_owner: string, id: string) => {
    asked.push("runs.get");
    const last = log.at(-1);
    const status = last?.type === "status" ? last.payload.status : "executing";
    if (id !== runId) return Promise.reject(new BronError("not_found", `There is no run ${id}.`));
    return Promise.resolve({ id: runId, status, lastSeq: log.length } as RunView);
  };
  const serve = (reader: { cursor: number; onEvents: (events: readonly RunEvent[]) => void }) => {
    const fresh = log.slice(reader.cursor);
    reader.cursor = log.length;
    if (fresh.length > 0) reader.onEvents(fresh);
  };
  return {
    asked,
    open,
    sign: (purpose, text) => createHmac("sha256", "a secret").update(`${purpose}\n${text}`).digest("base64url"),
    useOnce: (key) => Promise.resolve(!used.has(key) && used.add(key) !== undefined),
    wasUsed: (key) => Promise.resolve(used.has(key)),
    ping: () => Promise.resolve(),
    runs: {
      create: () => note("runs.create"),
      list: () => note("runs.list"),
      counts: () => note("runs.counts"),
      actions: () => note("runs.actions"),
      effects: () => note("runs.effects"),
      cancel: () => note("runs.cancel"),
      cancelAll: () => note("runs.cancelAll"),
      retry: () => note("runs.retry"),
      events: () => note("runs.events"),
      async page(ownerId, id, { afterSeq, limit }) {
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
      ...changes.runs,
    },
    approvals: {
      get: () => note("approvals.get"),
      list: () => note("approvals.list"),
      approve: () => note("approvals.approve"),
      deny: () => note("approvals.deny"),
      edit: () => note("approvals.edit"),
      answer: () => note("approvals.answer"),
      undo: () => note("approvals.undo"),
      approveMany: () => note("approvals.approveMany"),
      denyMany: () => note("approvals.denyMany"),
      decideOfRun: () => note("approvals.decideOfRun"),
      ...changes.approvals,
    },
    connections: { list: () => note("connections.list"), begin: () => note("connections.begin"), finish: () => note("connections.finish"), disconnect: () => note("connections.disconnect"), ...changes.connections },
    effects: { get: () => note("effects.get"), inDoubt: () => note("effects.inDoubt"), settle: () => note("effects.settle"), ...changes.effects },
    audit: { page: () => note("audit.page"), all: () => note("audit.all"), ...changes.audit },
    permissions: {
      rules: () => note("permissions.rules"),
      view: () => note("permissions.view"),
      countUses: () => note("permissions.countUses"),
      trustLevel: () => note("permissions.trustLevel"),
      setTrustLevel: () => note("permissions.setTrustLevel"),
      listRules: () => note("permissions.listRules"),
      putRule: () => note("permissions.putRule"),
      removeRule: () => note("permissions.removeRule"),
      listAllowed: () => note("permissions.listAllowed"),
      allow: () => note("permissions.allow"),
      disallow: () => note("permissions.disallow"),
      listGrants: () => note("permissions.listGrants"),
      grant: () => note("permissions.grant"),
      revoke: () => note("permissions.revoke"),
      ...changes.permissions,
    },
    artifacts: { list: () => note("artifacts.list"), read: () => note("artifacts.read"), ...changes.artifacts },
    answers: {
      follow(_owner, _id, listener) {
        open.answers++;
        followers.add(listener);
        if (latest) listener(latest);
        return Promise.resolve(() => {
          if (followers.delete(listener)) open.answers--;
        });
      },
    },
    append(...events) {
      log.push(...events);
      for (const reader of readers) serve(reader);
    },
    answer(answer) {
      latest = answer;
      for (const follower of followers) follower(answer);
    },
  };
}

/** The next entry of a log. */
export function logEntry(seq: number, message = `entry ${seq}`): RunEvent {
  return { runId, seq, createdAt: "2026-11-15T12:00:00.000Z", type: "log", payload: { level: "info", message } };
}

export function statusEntry(seq: number, status: "completed" | "executing"): RunEvent {
  return { runId, seq, createdAt: "2026-11-15T12:00:00.000Z", type: "status", payload: { status } };
}
