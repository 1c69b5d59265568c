import {
  BronError,
  byRules,
  childRunTools,
  defaultModelLimits,
  planTool,
  type AdvanceEnd,
  type AdvanceDeps,
  type TextDelta,
  type Appended,
  type Clock,
  type Connector,
  type ConnectorDeps,
  type FileCheck,
  type ModelLimits,
  type Permissions,
  type Policy,
  type RunModel,
  type Sign,
  type Store,
  type TakeRequest,
  type Tool,
  type UploadQuota,
  type Waker,
} from "@bron/core";
import { createEngine, defaultLimits, type EngineLimits } from "@bron/engine";
import type { Caps, ToolView, UsageView } from "@bron/protocol";
import { defaultCaps, defaultUploadQuota, mergeCaps } from "@bron/protocol";
import {
  checkInstance,
  createBlobs,
  createPostgresStore,
  openChangeFeed,
  openDatabase,
  openQueueDatabase,
  postgresPartialTexts,
  postgresBrons,
  postgresLoad,
  postgresOauthTokens,
  postgresContacts,
  postgresApiTokens,
  postgresModelKeys,
  postgresPermissions,
  postgresRates,
  postgresSessions,
  postgresStreamSlots,
  postgresUsage,
  postgresUsedKeys,
  s3Store,
  setUpDatabase,
  takeRunnable,
  withDatabaseErrors,
  type Load,
  type Rates,
  type S3Settings,
} from "@bron/store";
import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { createPartialTextHub, type PartialTexts } from "./partial-text-hub.ts";
import { approvalTokenHash, createApprovals, type ApprovalService } from "./approvals.ts";
import { createArtifacts, type ArtifactService } from "./artifacts.ts";
import { createAudit, type AuditService } from "./audit.ts";
import { createBrons, type BronService } from "./brons.ts";
import { backupLines, type RuntimeBackupLine } from "./backup.ts";
import { createChangeHub, type RunChanges } from "./change-hub.ts";
import { createCipher } from "./cipher.ts";
import { createConnections, type ConnectionService } from "./connections.ts";
import { createTelemetry, type RuntimeEvent } from "./telemetry.ts";
import { createDeltas } from "./deltas.ts";
import { createEffects, type EffectService } from "./effects.ts";
import { createEventHub } from "./event-hub.ts";
import { createModelKeys, type ModelKeyService, type ModelFromKey } from "./model-keys.ts";
import { createRuns, type RunService } from "./runs.ts";
import { createSessions, type SessionService } from "./sessions.ts";
import { openPostgres, type PostgresOptions } from "./open-postgres.ts";
import { plainTextOnly } from "./plain-text-only.ts";
import { fingerprint } from "./secret-key.ts";
import { createStreamSlots, type StreamSlotService } from "./stream-slots.ts";
import { systemClock } from "./system-clock.ts";
import { createTokens, type TokenService } from "./tokens.ts";
import { createTokenVault } from "./token-vault.ts";
import { toolMap } from "./tool-map.ts";
import { toolViews } from "./tool-views.ts";
import { createTracing } from "./tracing/tracing.ts";
import { startUploadCleanup } from "./upload-cleanup.ts";
import { createUploads, type UploadService } from "./uploads.ts";
import { summarizeUsage, type UsagePeriod } from "./usage.ts";

export interface RuntimeOptions extends PostgresOptions {
  readonly model: RunModel;
  /** Creates models from the owners' own keys. Without it, keys are stored but not used. */
  readonly modelFromKey?: ModelFromKey;
  readonly tools?: readonly Tool[];
  /** External services. Each brings tools and a way to connect accounts. */
  readonly connectors?: readonly ((deps: ConnectorDeps) => Connector)[];
  readonly policy?: Policy;
  /** If false, runs change nothing outside, not even drafts. */
  readonly sideEffects?: boolean;
  readonly caps?: Partial<Caps>;
  /** Which files owners may upload. The default is plain text only. */
  readonly files?: FileCheck;
  /**
   * Limits for the total size of uploads that are not attached to a run. The defaults are 200 MB
   * per owner and 2,000 MB in total. 0 means no limit.
   */
  readonly uploadQuota?: Partial<UploadQuota>;
  /** Stores file contents in S3 instead of the database. */
  readonly s3?: S3Settings;
  readonly limits?: Partial<EngineLimits>;
  /**
   * `sweep` (default) runs a full worker. `own` advances only runs that this process starts. `none`
   * leaves the work to other processes.
   */
  readonly work?: "sweep" | "own" | "none";
  /** How long an approval stays open. The default is 72 hours. */
  readonly approvalTtlMs?: number;
  /**
   * How long an approval can be undone before its effect starts. The default is 0, the maximum one
   * minute.
   */
  readonly undoMs?: number;
  readonly modelLimits?: Partial<ModelLimits>;
  readonly clock?: Clock;
  readonly onProblem?: (message: string, error?: unknown) => void;
  /** Reports what this process does, for logs and metrics. It contains no text of a run. */
  readonly onRuntimeEvent?: (runtimeEvent: RuntimeEvent) => void;
  /**
   * Adds prompts, messages, arguments and results to spans. There are spans only if the process has
   * an OpenTelemetry SDK.
   */
  readonly traceContent?: boolean;
  /** For tests: shorter intervals, and wrappers for the ports. */
  readonly engine?: {
    readonly leaseMs?: number;
    readonly sweepMs?: number;
    readonly pollMs?: number;
    readonly workerName?: string;
  };
  readonly wrap?: (store: Store) => Store;
}

export interface Runtime {
  /** The owner's Brons and what each is doing. */
  readonly brons: BronService;
  readonly runs: RunService;
  /** Changes of all runs of an owner, for lists. */
  readonly changes: RunChanges;
  readonly approvals: ApprovalService;
  readonly artifacts: ArtifactService;
  /** Files that the owner uploads. */
  readonly uploads: UploadService;
  readonly effects: EffectService;
  /** The audit log. Entries are never changed. */
  readonly audit: AuditService;
  /** Accounts at external services. */
  readonly connections: ConnectionService;
  /** The owner's rules, trusted contacts and grants. */
  readonly permissions: Permissions;
  /** Signed-in browsers. */
  readonly sessions: SessionService;
  /** Personal API tokens. */
  readonly tokens: TokenService;
  /** Rate limits. */
  readonly rates: Rates;
  /** Limits the number of open streams per owner. */
  readonly streamSlots: StreamSlotService;
  /** The owner's own model keys. */
  readonly modelKeys: ModelKeyService;
  /** The message that a run is streaming, in any process. */
  readonly partialTexts: PartialTexts;
  readonly workerName: string;
  /** The tools that runs can use, sorted by name. */
  tools(): ToolView[];
  /** Usage of the owner's runs per day. */
  usage(ownerId: string, period: UsagePeriod): Promise<UsageView>;
  /** Resolves when the database has responded. */
  ping(): Promise<void>;
  /** The current work of all owners and processes. */
  load(): Promise<Load>;
  /** Subscribes to text that runs of this process stream. Returns a function that unsubscribes. */
  onDelta(listener: (delta: TextDelta) => void): () => void;
  /**
   * HMAC-SHA256 with the secret of this home or database, as base64url. `purpose` separates
   * signatures for different uses.
   */
  sign(purpose: string, text: string): string;
  /** Returns true only for the first use of a key in any process. */
  useOnce(key: string): Promise<boolean>;
  /** Whether a key has been used. Does not use it. */
  wasUsed(key: string): Promise<boolean>;
  /** Sets or removes an owner's spending limit, in millionths of a US dollar. */
  setOwnerCap(ownerId: string, capMicrousd: number | null): Promise<void>;
  /** A consistent snapshot of all data. `restoreBackup` restores it. */
  backup(): AsyncGenerator<RuntimeBackupLine>;
  /**
   * Releases its runs, so that other processes can continue at once, and stops everything it
   * started. Idempotent.
   */
  close(): Promise<void>;
}

const defaultApprovalTtlMs = 72 * 3_600_000;

const maxUndoMs = 60_000;

function checkUndo(undoMs: number): number {
  if (Number.isInteger(undoMs) && undoMs >= 0 && undoMs <= maxUndoMs) return undoMs;
  throw new BronError("config_invalid", `undoMs must be an integer from 0 to ${maxUndoMs}.`);
}

/** Creates the runtime. All apps are built on it. */
export async function createRuntime(options: RuntimeOptions): Promise<Runtime> {
  const cleanups: (() => Promise<void>)[] = [];
  const close = async () => {
    const failures: unknown[] = [];
    for (let step = cleanups.pop(); step; step = cleanups.pop())
      await step().catch((error: unknown) => failures.push(error));
    if (failures.length > 0)
      throw failures.length === 1
        ? failures[0]
        : new AggregateError(failures, "The runtime could not close everything");
  };
  try {
    return await open(options, cleanups, close);
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}

async function open(
  options: RuntimeOptions,
  cleanups: (() => Promise<void>)[],
  close: () => Promise<void>,
): Promise<Runtime> {
  const clock = options.clock ?? systemClock;
  const onProblem = options.onProblem ?? (() => undefined);
  const undoMs = checkUndo(options.undoMs ?? 0);
  const caps = mergeCaps(defaultCaps, options.caps);
  const { databaseUrl, adminUrl, secretKey, close: closePostgres } = await openPostgres(options);
  cleanups.push(closePostgres);
  await setUpDatabase({ url: databaseUrl, adminUrl });
  const database = await openDatabase({ url: databaseUrl, poolSize: 12 });
  cleanups.push(database.close);
  await checkInstance(database.db, { secretKeyFingerprint: fingerprint(secretKey) });

  const deltas = createDeltas((error) => onProblem("A delta listener failed", error));
  const feed = openChangeFeed({ url: databaseUrl, pool: database.pool, onProblem });
  cleanups.push(feed.close);
  const queueDatabase = openQueueDatabase(databaseUrl);
  cleanups.push(queueDatabase.close);
  const engine = createEngine({
    url: databaseUrl,
    database: queueDatabase,
    workerName:
      options.engine?.workerName ??
      `${hostname()}-${process.pid}-${randomBytes(4).toString("hex")}`,
    work: options.work ?? "sweep",
    clock,
    limits: { ...defaultLimits, ...options.limits },
    onProblem,
    ...options.engine,
  });
  // Notifies subscribers in this process directly, and other processes through the feed.
  const appended = (runId: string, result: Appended) => {
    const { events, lastSeq, createdAt } = result;
    telemetry.appended(runId, result);
    partialTexts.clear(runId);
    hub.appended(
      runId,
      events.map((event, index) => ({
        ...event,
        runId,
        seq: lastSeq - events.length + 1 + index,
        createdAt,
      })),
    );
    changes.changed(runId);
    feed.changed({ runId, lastSeq });
  };
  const waker: Waker = {
    ...engine.waker,
    committed(wake, here) {
      engine.waker.committed(wake, here);
      partialTexts.clear(wake.runId);
      hub.changed(wake.runId, 0);
      changes.changed(wake.runId);
      feed.changed({ runId: wake.runId, lastSeq: 0 });
    },
  };
  const blobs = createBlobs(database.db, options.s3 && s3Store(options.s3));
  const base = createPostgresStore(database, waker, blobs);
  const telemetry = createTelemetry({
    isTool: (name) => tools.has(name),
    onRuntimeEvent: options.onRuntimeEvent ?? (() => undefined),
    onProblem: (error) => onProblem("A runtime event listener failed", error),
    monotonic: clock.monotonic,
  });
  const tracing = createTracing({ withContent: options.traceContent ?? false });
  const store = telemetry.wrapStore(options.wrap?.(base) ?? base);
  const hub = createEventHub(store.runs, clock);
  cleanups.push(() => Promise.resolve(hub.close()));
  const changes = createChangeHub({
    runs: store.runs,
    clock,
    onProblem: (error) => onProblem("A change listener failed", error),
  });
  cleanups.push(() => Promise.resolve(changes.close()));
  const partialTexts = createPartialTextHub({
    partialTexts: postgresPartialTexts(database.db),
    runs: store.runs,
    clock,
    onWritten: feed.partialTextChanged,
  });
  cleanups.push(partialTexts.close);
  const streamSlots = createStreamSlots({ slots: postgresStreamSlots(database.pool), clock });
  cleanups.push(streamSlots.close);
  feed.subscribe({
    onPartialText: partialTexts.changed,
    onChange({ runId, lastSeq }) {
      hub.changed(runId, lastSeq);
      changes.changed(runId);
      engine.logAdvanced(runId, lastSeq);
    },
    onGap() {
      hub.checkAll();
      changes.reportGap();
    },
  });
  const sign: Sign = (purpose, text) =>
    createHmac("sha256", secretKey).update(`bron.${purpose}\n${text}`).digest("base64url");
  const usedKeys = postgresUsedKeys(database.db);
  const usage = postgresUsage(database.pool);
  const permissions = postgresPermissions(database, options.sideEffects ?? true);
  const connectorDeps: ConnectorDeps = {
    vault: createTokenVault(postgresOauthTokens(database.db), secretKey),
    sign,
    useOnce: usedKeys.useOnce,
    clock,
    contacts: postgresContacts(database.pool),
  };
  const connectors = (options.connectors ?? []).map((create) => create(connectorDeps));
  const tools = toolMap([
    planTool,
    ...childRunTools({ runs: store.runs }),
    ...(options.tools ?? []),
    ...connectors.flatMap((connector) => connector.tools),
  ]);
  const { modelFor, ...modelKeys } = createModelKeys({
    keys: postgresModelKeys(database.pool),
    cipher: createCipher(secretKey, "model-keys"),
    modelFromKey: options.modelFromKey,
    defaultModel: options.model,
    clock,
  });
  const deps = (leaseMs: number): AdvanceDeps => ({
    log: tracing.log(store.log),
    threads: store.threads,
    artifacts: store.artifacts,
    clock,
    ids: { uuid: randomUUID },
    policy: options.policy ?? byRules,
    rules: permissions.rules,
    onGrantsUsed: (ownerId, grantIds) =>
      void permissions
        .countUses(ownerId, grantIds)
        .catch((error: unknown) => onProblem("The use of a grant was not counted", error)),
    tools: new Map([...tools].map(([name, tool]) => [name, tracing.tool(tool)])),
    modelFor: async (ownerId) => tracing.model(await modelFor(ownerId)),
    modelLimits: { ...defaultModelLimits, ...options.modelLimits },
    leaseMs,
    approvalTtlMs: options.approvalTtlMs ?? defaultApprovalTtlMs,
    onDelta(delta) {
      deltas.emit(delta);
      partialTexts.delta(delta);
    },
    onAppend: appended,
    proveApproval: async ({ ownerId, approvalId, digest }) =>
      (await store.approvals.usedTokenHash(ownerId, approvalId)) ===
      approvalTokenHash(sign, approvalId, digest),
  });
  cleanups.push(engine.close);
  const wrapSegment = (runId: string, segment: () => Promise<AdvanceEnd>) =>
    telemetry.segment(runId, () => tracing.segment(segment));
  const sweep = {
    takeRunnable: (request: TakeRequest) => takeRunnable(database.pool, request),
    expireDue: () => store.approvals.expireDue(),
    notifyParents: (only: readonly string[] | undefined) => store.runs.notifyParents(only),
  };
  await withDatabaseErrors(() => engine.start({ deps, log: store.log, wrapSegment, sweep }));
  // Started after the engine, so that nothing keeps running if the worker cannot start.
  if ((options.work ?? "sweep") === "sweep")
    cleanups.push(startUploadCleanup({ uploads: store.uploads, clock, onProblem }).close);

  return {
    brons: createBrons(postgresBrons(database), permissions),
    changes: { subscribe: changes.subscribe },
    tools: () => toolViews(tools.values()),
    usage: (ownerId, period) => summarizeUsage(usage, ownerId, period),
    runs: createRuns({ runs: store.runs, caps, hub }),
    approvals: createApprovals({ approvals: store.approvals, sign, tools, undoMs }),
    artifacts: createArtifacts(store.artifacts),
    uploads: createUploads({
      uploads: store.uploads,
      sign,
      files: options.files ?? plainTextOnly,
      maxBytes: caps.attachmentBytes,
      quota: { ...defaultUploadQuota, ...options.uploadQuota },
    }),
    effects: createEffects(store.effects),
    audit: createAudit(store.audit),
    connections: createConnections(connectors, store.runs),
    permissions,
    sessions: createSessions(postgresSessions(database.pool)),
    tokens: createTokens(postgresApiTokens(database.pool)),
    rates: postgresRates(database.pool),
    streamSlots: { take: streamSlots.take },
    modelKeys,
    partialTexts: { subscribe: partialTexts.subscribe },
    workerName: engine.workerName,
    ...postgresLoad(database.pool),
    sign,
    ...usedKeys,
    onDelta: deltas.subscribe,
    backup: () =>
      backupLines(
        { pool: database.pool, blobs },
        options.databaseUrl === undefined ? secretKey : undefined,
      ),
    setOwnerCap: store.budgets.setOwnerCap,
    close,
  };
}
