import type {
  AboutView,
  ActionView,
  ApiQuery,
  ApiResponse,
  ApprovalOutcome,
  ApprovalView,
  ArtifactView,
  AuditView,
  ConnectionView,
  CreateRun,
  DemoFault,
  DemoView,
  EffectView,
  EventView,
  JsonObject,
  NewGrant,
  NewRule,
  NewToken,
  PermissionsView,
  RunView,
  Settlement,
  TokenView,
  TrustLevel,
  UploadView,
} from "@bron/protocol";
import type { Change, SubscribeChangesOptions } from "./subscribe-to-changes.ts";
import type { SubscribeOptions } from "./subscribe-to-events.ts";
import type { AuditOptions, FileToUpload, Transport } from "./transport.ts";

interface SeenApproval {
  readonly id: string;
  /** The digest of the content that the person saw. */
  readonly digest: string;
}

/**
 * A client that acts for an owner, over any transport. It has the same method names as the runtime.
 */
export interface Client {
  /** Calls any endpoint by its key in the API table. */
  readonly call: Transport["call"];
  readonly runs: {
    create(input: CreateRun, options?: { readonly idempotencyKey?: string }): Promise<RunView>;
    get(runId: string): Promise<RunView>;
    /** Newest first. */
    list(options?: Readonly<Partial<ApiQuery<"GET /api/runs">>>): Promise<RunView[]>;
    actions(runId: string): Promise<ActionView[]>;
    effects(runId: string): Promise<EffectView[]>;
    /** Returns false if the run had already ended. */
    cancel(runId: string, reason?: string): Promise<boolean>;
    /** Starts the task of a finished run again. The new run reuses completed steps. */
    retry(runId: string): Promise<RunView>;
    /** Cancels every running or waiting run and returns the IDs of the canceled runs. */
    cancelAll(reason?: string): Promise<string[]>;
    /** Yields the log and then live events. It reconnects when the connection is lost. */
    events(runId: string, options?: SubscribeOptions): AsyncGenerator<EventView, void>;
  };
  /** Yields changes of all runs, for lists. */
  changes(options: SubscribeChangesOptions): AsyncGenerator<Change, void>;
  readonly uploads: {
    /**
     * Creates an upload, sends the content and completes it. Pass its ID in the `uploadIds` of a
     * run.
     */
    send(file: FileToUpload): Promise<UploadView>;
  };
  readonly approvals: {
    get(approvalId: string): Promise<ApprovalView>;
    list(options?: {
      readonly runId?: string;
      readonly pendingOnly?: boolean;
      readonly idPrefix?: string;
    }): Promise<ApprovalView[]>;
    /** `digest` is the digest of the content that the person saw. */
    approve(approvalId: string, digest: string): Promise<ApprovalView>;
    deny(approvalId: string, digest: string, reason?: string): Promise<ApprovalView>;
    /** Edits fields. The run prepares a new version and asks for approval again. */
    edit(approvalId: string, digest: string, changes: JsonObject): Promise<ApprovalView>;
    /** Requests changes in words. Nothing is sent, and the run continues with the reply. */
    reply(approvalId: string, digest: string, words: string): Promise<ApprovalView>;
    /** Undoes an approval during the undo window. */
    undo(approvalId: string): Promise<ApprovalView>;
    /** Decides each approval by its own digest. Each has its own outcome. */
    approveMany(seen: readonly SeenApproval[]): Promise<ApprovalOutcome[]>;
    denyMany(
      seen: readonly (SeenApproval & { readonly reason?: string | undefined })[],
    ): Promise<ApprovalOutcome[]>;
    /** Decides the only pending approval of a run. The digest is required if it is ambiguous. */
    decideForRun(
      runId: string,
      decision: {
        readonly approved: boolean;
        readonly digest?: string | undefined;
        readonly reason?: string | undefined;
      },
    ): Promise<ApprovalView>;
  };
  readonly effects: {
    get(effectId: string): Promise<EffectView>;
    /** Effects whose outcome is unknown, newest first. */
    listUnknown(): Promise<EffectView[]>;
    settle(effectId: string, as: Settlement, note?: string): Promise<EffectView>;
  };
  readonly audit: {
    /** Newest first. */
    list(options?: Readonly<Partial<ApiQuery<"GET /api/audit">>>): Promise<AuditView[]>;
    /** Streams the complete audit log, newest first. */
    all(options?: AuditOptions): AsyncGenerator<AuditView, void>;
  };
  about(): Promise<AboutView>;
  readonly connections: {
    list(): Promise<ConnectionView[]>;
    disconnect(provider: string): Promise<ConnectionView[]>;
  };
  /** The owner's permissions. Every change returns all of them. */
  readonly permissions: {
    get(): Promise<PermissionsView>;
    setTrustLevel(level: TrustLevel): Promise<PermissionsView>;
    putRule(rule: NewRule): Promise<PermissionsView>;
    allow(value: string): Promise<PermissionsView>;
    grant(grant: NewGrant): Promise<PermissionsView>;
    remove(kind: "rules" | "allowed" | "grants", id: string): Promise<PermissionsView>;
  };
  /** API tokens. The secret of a token is returned only once. */
  readonly tokens: {
    create(token: NewToken): Promise<{ readonly token: string; readonly view: TokenView }>;
    list(): Promise<TokenView[]>;
    revoke(id: string): Promise<void>;
  };
  /** The sandbox. Throws not_found outside demo mode. */
  readonly demo: {
    view(account?: string): Promise<DemoView>;
    injectFault(fault: DemoFault): Promise<DemoView>;
    clearFaults(): Promise<DemoView>;
    reset(): Promise<DemoView>;
  };
  readonly artifacts: {
    list(runId: string): Promise<ArtifactView[]>;
    read(digest: string): Promise<Uint8Array>;
  };
}

const defaultLimit = 50;
const pageSize = 200;

export function createClient({ transport }: { readonly transport: Transport }): Client {
  const { call } = transport;

  return {
    call,
    runs: {
      create: (body, { idempotencyKey } = {}) => call("POST /api/runs", { body, idempotencyKey }),
      get: (id) => call("GET /api/runs/:id", { params: { id } }),
      async list({ status, bronId, idPrefix, limit = defaultLimit, before } = {}) {
        const runs: RunView[] = [];
        for (
          let from = before ?? null, isFirst = true;
          runs.length < limit && (isFirst || from !== null);
          isFirst = false
        ) {
          const page = await call("GET /api/runs", {
            query: {
              status,
              bronId,
              idPrefix,
              before: from ?? undefined,
              limit: Math.min(pageSize, limit - runs.length),
            },
          });
          runs.push(...page.runs);
          from = page.next;
        }
        return runs;
      },
      actions: async (id) => (await call("GET /api/runs/:id/actions", { params: { id } })).actions,
      effects: async (id) => (await call("GET /api/runs/:id/effects", { params: { id } })).effects,
      cancel: async (id, reason) =>
        (await call("POST /api/runs/:id/cancel", { params: { id }, body: { reason } })).requested,
      retry: (id) => call("POST /api/runs/:id/retry", { params: { id }, body: {} }),
      cancelAll: async (reason) => (await call("POST /api/stop", { body: { reason } })).stopped,
      events: transport.events,
    },
    changes: transport.changes,
    uploads: { send: transport.upload },
    approvals: {
      get: (id) => call("GET /api/approvals/:id", { params: { id } }),
      async list({ runId, pendingOnly, idPrefix } = {}) {
        const approvals: ApprovalView[] = [];
        for (let after: string | null | undefined = undefined; after !== null;) {
          const page: ApiResponse<"GET /api/approvals"> = await call("GET /api/approvals", {
            query: {
              runId,
              pending: pendingOnly === undefined ? undefined : String(pendingOnly),
              idPrefix,
              after,
              limit: pageSize,
            },
          });
          approvals.push(...page.approvals);
          after = page.next;
        }
        return approvals;
      },
      approve: (id, digest) =>
        call("POST /api/approvals/:id/approve", { params: { id }, body: { digest } }),
      deny: (id, digest, reason) =>
        call("POST /api/approvals/:id/deny", { params: { id }, body: { digest, reason } }),
      edit: (id, digest, changes) =>
        call("POST /api/approvals/:id/edit", { params: { id }, body: { digest, changes } }),
      reply: (id, digest, words) =>
        call("POST /api/approvals/:id/reply", { params: { id }, body: { digest, words } }),
      undo: (id) => call("POST /api/approvals/:id/undo", { params: { id }, body: {} }),
      approveMany: async (approve) =>
        (await call("POST /api/approvals/batch", { body: { approve: [...approve] } })).approve,
      denyMany: async (deny) =>
        (await call("POST /api/approvals/batch", { body: { deny: [...deny] } })).deny,
      decideForRun: (id, body) => call("POST /api/runs/:id/approve-send", { params: { id }, body }),
    },
    effects: {
      get: (id) => call("GET /api/effects/:id", { params: { id } }),
      listUnknown: async () => (await call("GET /api/effects")).effects,
      settle: (id, as, note) =>
        call("POST /api/effects/:id/settle", { params: { id }, body: { as, note } }),
    },
    audit: {
      async list({ before, limit = defaultLimit, runId, what } = {}) {
        const rows: AuditView[] = [];
        for (
          let from = before ?? null, isFirst = true;
          rows.length < limit && (isFirst || from !== null);
          isFirst = false
        ) {
          const page = await call("GET /api/audit", {
            query: {
              before: from ?? undefined,
              limit: Math.min(pageSize, limit - rows.length),
              runId,
              what,
            },
          });
          rows.push(...page.audit);
          from = page.next;
        }
        return rows;
      },
      all: (options = {}) => transport.auditRows(options),
    },
    about: () => call("GET /api/about"),
    connections: {
      list: async () => (await call("GET /api/connections")).connections,
      disconnect: async (provider) =>
        (
          await call("POST /api/connections/:provider/disconnect", {
            params: { provider },
            body: {},
          })
        ).connections,
    },
    permissions: {
      get: () => call("GET /api/permissions"),
      setTrustLevel: (level) => call("POST /api/permissions/trust", { body: { level } }),
      putRule: (body) => call("POST /api/permissions/rules", { body }),
      allow: (value) => call("POST /api/permissions/allowed", { body: { value } }),
      grant: (body) => call("POST /api/permissions/grants", { body }),
      remove: (kind, id) =>
        call(`POST /api/permissions/${kind}/:id/remove`, { params: { id }, body: {} }),
    },
    tokens: {
      create: (body) => call("POST /api/tokens", { body }),
      list: async () => (await call("GET /api/tokens")).tokens,
      revoke: async (id) => await call("DELETE /api/tokens/:id", { params: { id } }),
    },
    demo: {
      view: (account) => call("GET /api/demo", { query: { account } }),
      injectFault: (fault) => call("POST /api/demo/faults", { body: { fault } }),
      clearFaults: () => call("POST /api/demo/faults/clear", { body: {} }),
      reset: () => call("POST /api/demo/reset", { body: {} }),
    },
    artifacts: {
      list: async (id) => (await call("GET /api/runs/:id/artifacts", { params: { id } })).artifacts,
      read: transport.readArtifact,
    },
  };
}
