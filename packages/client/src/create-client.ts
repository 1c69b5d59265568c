import type { AboutView, ActionView, ApprovalOutcome, ApprovalView, ArtifactView, AuditFilter, AuditView, ConnectionView, CreateRun, DemoFault, DemoView, EffectView, EventView, JsonObject, NewGrant, NewRule, PermissionsView, RunStatus, RunView, Settlement, TrustLevel } from "@bron/protocol";
import { defaultTimes, type ClientTimes } from "./client-times.ts";
import { createConnection, unreachable, type ConnectionOptions } from "./connection.ts";
import { followEvents, type FollowOptions } from "./follow-events.ts";
import { readLines } from "./read-lines.ts";

export interface ClientOptions extends ConnectionOptions {
  readonly times?: Partial<ClientTimes>;
}

interface SeenApproval {
  readonly id: string;
  /** Of what the person saw. */
  readonly digest: string;
}

/** A running Bron, bound to its owner, with the library's method names. Everything throws ClientError alone. */
export interface Client {
  readonly runs: {
    create(input: CreateRun, options?: { readonly idempotencyKey?: string }): Promise<RunView>;
    get(runId: string): Promise<RunView>;
    /** Newest first. */
    list(options?: { readonly status?: RunStatus; readonly limit?: number; readonly before?: string }): Promise<RunView[]>;
    actions(runId: string): Promise<ActionView[]>;
    effects(runId: string): Promise<EffectView[]>;
    /** False if the run was over already. */
    cancel(runId: string, reason?: string): Promise<boolean>;
    /** The same task again, for a run that is over; what it completed is reused. */
    retry(runId: string): Promise<RunView>;
    /** Everything under way or waiting; returns what it stopped. */
    cancelAll(reason?: string): Promise<string[]>;
    /** The log, then live, whatever happens to the connection. */
    events(runId: string, options?: FollowOptions): AsyncGenerator<EventView, void>;
  };
  readonly approvals: {
    get(approvalId: string): Promise<ApprovalView>;
    list(options?: { readonly runId?: string; readonly pendingOnly?: boolean }): Promise<ApprovalView[]>;
    /** `digest` is that of what the person saw. */
    approve(approvalId: string, digest: string): Promise<ApprovalView>;
    deny(approvalId: string, digest: string, reason?: string): Promise<ApprovalView>;
    /** The run prepares it anew with these fields, and asks again. */
    edit(approvalId: string, digest: string, changes: JsonObject): Promise<ApprovalView>;
    /** Not done; the run goes on with these words. */
    answer(approvalId: string, digest: string, words: string): Promise<ApprovalView>;
    /** Takes an approval back while its time for that lasts. */
    undo(approvalId: string): Promise<ApprovalView>;
    /** Each by its own digest, each with its own outcome. */
    approveMany(seen: readonly SeenApproval[]): Promise<ApprovalOutcome[]>;
    denyMany(seen: readonly (SeenApproval & { readonly reason?: string | undefined })[]): Promise<ApprovalOutcome[]>;
    /** The one that a run waits for; without a digest only if there is no doubt which one was seen. */
    decideOfRun(runId: string, decision: { readonly approved: boolean; readonly digest?: string | undefined; readonly reason?: string | undefined }): Promise<ApprovalView>;
  };
  readonly effects: {
    get(effectId: string): Promise<EffectView>;
    /** Those of which nobody knows whether they happened, newest first. */
    inDoubt(): Promise<EffectView[]>;
    settle(effectId: string, as: Settlement, note?: string): Promise<EffectView>;
  };
  readonly audit: {
    /** Newest first. */
    page(options?: { readonly before?: number; readonly limit?: number; readonly runId?: string; readonly what?: AuditFilter }): Promise<AuditView[]>;
    /** All of it, newest first. */
    all(options?: { readonly runId?: string; readonly what?: AuditFilter }): AsyncGenerator<AuditView, void>;
  };
  about(): Promise<AboutView>;
  readonly connections: {
    list(): Promise<ConnectionView[]>;
    disconnect(provider: string): Promise<ConnectionView[]>;
  };
  /** What the owner lays down about effects; each change answers with all of it. */
  readonly permissions: {
    get(): Promise<PermissionsView>;
    setTrustLevel(level: TrustLevel): Promise<PermissionsView>;
    putRule(rule: NewRule): Promise<PermissionsView>;
    allow(value: string): Promise<PermissionsView>;
    grant(grant: NewGrant): Promise<PermissionsView>;
    remove(kind: "rules" | "allowed" | "grants", id: string): Promise<PermissionsView>;
  };
  /** The simulated outside; not found where nothing is simulated. */
  readonly demo: {
    view(account?: string): Promise<DemoView>;
    breakIt(fault: DemoFault): Promise<DemoView>;
    mendIt(): Promise<DemoView>;
    reset(): Promise<DemoView>;
  };
  readonly artifacts: {
    list(runId: string): Promise<ArtifactView[]>;
    read(digest: string): Promise<Uint8Array>;
  };
}

const defaultLimit = 50;
const pageSize = 200;

export function createClient(options: ClientOptions): Client {
  const times = { ...defaultTimes, ...options.times };
  const connection = createConnection(options, times);
  const run = (id: string, rest = "") => `/api/runs/${encodeURIComponent(id)}${rest}`;
  const effect = (id: string, rest = "") => `/api/effects/${encodeURIComponent(id)}${rest}`;
  const approval = (id: string, rest = "") => `/api/approvals/${encodeURIComponent(id)}${rest}`;

  return {
    runs: {
      create: (input, { idempotencyKey } = {}) =>
        connection.json("/api/runs", { method: "POST", body: input, ...(idempotencyKey === undefined ? {} : { headers: { "idempotency-key": idempotencyKey }, repeatable: true }) }),
      get: (runId) => connection.json(run(runId)),
      async list({ status, limit = defaultLimit, before } = {}) {
        const runs: RunView[] = [];
        for (let from = before ?? null, isFirst = true; runs.length < limit && (isFirst || from !== null); isFirst = false) {
          const query = queryOf({ status, before: from ?? undefined, limit: Math.min(pageSize, limit - runs.length) });
          const page = await connection.json<{ runs: RunView[]; next: string | null }>(`/api/runs${query}`);
          runs.push(...page.runs);
          from = page.next;
        }
        return runs;
      },
      actions: async (runId) => (await connection.json<{ actions: ActionView[] }>(run(runId, "/actions"))).actions,
      effects: async (runId) => (await connection.json<{ effects: EffectView[] }>(run(runId, "/effects"))).effects,
      cancel: async (runId, reason) => (await connection.json<{ requested: boolean }>(run(runId, "/cancel"), { method: "POST", body: { reason } })).requested,
      retry: (runId) => connection.json(run(runId, "/retry"), { method: "POST", body: {} }),
      cancelAll: async (reason) => (await connection.json<{ stopped: string[] }>("/api/stop", { method: "POST", body: { reason } })).stopped,
      events: (runId, follow) => followEvents({ connection, times }, runId, follow),
    },
    approvals: {
      get: (approvalId) => connection.json(approval(approvalId)),
      list: async ({ runId, pendingOnly } = {}) => (await connection.json<{ approvals: ApprovalView[] }>(`/api/approvals${queryOf({ runId, pending: pendingOnly })}`)).approvals,
      approve: (approvalId, digest) => connection.json(approval(approvalId, "/approve"), { method: "POST", body: { digest } }),
      deny: (approvalId, digest, reason) => connection.json(approval(approvalId, "/deny"), { method: "POST", body: { digest, reason } }),
      edit: (approvalId, digest, changes) => connection.json(approval(approvalId, "/edit"), { method: "POST", body: { digest, changes } }),
      answer: (approvalId, digest, words) => connection.json(approval(approvalId, "/answer"), { method: "POST", body: { digest, words } }),
      undo: (approvalId) => connection.json(approval(approvalId, "/undo"), { method: "POST", body: {} }),
      approveMany: async (approve) => (await connection.json<{ approve: ApprovalOutcome[] }>("/api/approvals/batch", { method: "POST", body: { approve } })).approve,
      denyMany: async (deny) => (await connection.json<{ deny: ApprovalOutcome[] }>("/api/approvals/batch", { method: "POST", body: { deny } })).deny,
      decideOfRun: (runId, decision) => connection.json(run(runId, "/approve-send"), { method: "POST", body: decision }),
    },
    effects: {
      get: (effectId) => connection.json(effect(effectId)),
      inDoubt: async () => (await connection.json<{ effects: EffectView[] }>("/api/effects")).effects,
      settle: (effectId, as, note) => connection.json(effect(effectId, "/settle"), { method: "POST", body: { as, note } }),
    },
    audit: {
      async page({ before, limit = defaultLimit, runId, what } = {}) {
        const rows: AuditView[] = [];
        for (let from = before ?? null, isFirst = true; rows.length < limit && (isFirst || from !== null); isFirst = false) {
          const query = queryOf({ before: from ?? undefined, limit: Math.min(pageSize, limit - rows.length), runId, what });
          const page = await connection.json<{ audit: AuditView[]; next: number | null }>(`/api/audit${query}`);
          rows.push(...page.audit);
          from = page.next;
        }
        return rows;
      },
      async *all({ runId, what } = {}) {
        const { body } = await connection.open(`/api/audit/export${queryOf({ runId, what })}`);
        try {
          if (body) yield* readLines<AuditView>(body);
        } catch (error) {
          throw unreachable(error);
        }
      },
    },
    about: () => connection.json("/api/about"),
    connections: {
      list: async () => (await connection.json<{ connections: ConnectionView[] }>("/api/connections")).connections,
      disconnect: async (provider) => (await connection.json<{ connections: ConnectionView[] }>(`/api/connections/${encodeURIComponent(provider)}/disconnect`, { method: "POST", body: {} })).connections,
    },
    permissions: {
      get: () => connection.json("/api/permissions"),
      setTrustLevel: (level) => connection.json("/api/permissions/trust", { method: "POST", body: { level } }),
      putRule: (rule) => connection.json("/api/permissions/rules", { method: "POST", body: rule }),
      allow: (value) => connection.json("/api/permissions/allowed", { method: "POST", body: { value } }),
      grant: (grant) => connection.json("/api/permissions/grants", { method: "POST", body: grant }),
      remove: (kind, id) => connection.json(`/api/permissions/${kind}/${encodeURIComponent(id)}/remove`, { method: "POST", body: {} }),
    },
    demo: {
      view: (account) => connection.json(`/api/demo${account === undefined ? "" : `?account=${encodeURIComponent(account)}`}`),
      breakIt: (fault) => connection.json("/api/demo/faults", { method: "POST", body: { fault } }),
      mendIt: () => connection.json("/api/demo/faults/clear", { method: "POST", body: {} }),
      reset: () => connection.json("/api/demo/reset", { method: "POST", body: {} }),
    },
    artifacts: {
      list: async (runId) => (await connection.json<{ artifacts: ArtifactView[] }>(run(runId, "/artifacts"))).artifacts,
      async read(digest) {
        const response = await connection.open(`/api/artifacts/${encodeURIComponent(digest)}`);
        try {
          return new Uint8Array(await response.arrayBuffer());
        } catch (error) {
          throw unreachable(error);
        }
      },
    },
  };
}

function queryOf(values: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const set = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return set.length === 0 ? "" : `?${new URLSearchParams(set).toString()}`;
}
