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
  withNamedOutages,
  type Load,
  type Rates,
  type S3Settings,
} from "@bron/store";
import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { createPartialTextKeeper, type PartialTexts } from "./partial-texts.ts";
import { approvalTokenHash, createApprovals, type ApprovalService } from "./approvals.ts";
import { createArtifacts, type ArtifactService } from "./artifacts.ts";
import { createAudit, type AuditService } from "./audit.ts";
import { createBrons, type BronService } from "./brons.ts";
import { backupLines, type RuntimeBackupLine } from "./backup.ts";
import { createChanges, type RunChanges } from "./changes.ts";
import { createCipher } from "./cipher.ts";
import { createConnections, type ConnectionService } from "./connections.ts";
import { createTelemetry, type RuntimeEvent } from "./telemetry.ts";
import { createDeltas } from "./deltas.ts";
import { createEffects, type EffectService } from "./effects.ts";
import { createEventHub } from "./event-hub.ts";
import { createModelKeys, type ModelKeyService, type ModelOf } from "./model-keys.ts";
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
import { startUploadUpkeep } from "./upload-upkeep.ts";
import { createUploads, type UploadService } from "./uploads.ts";
import { usageOf, type UsagePeriod } from "./usage.ts";

export interface RuntimeOptions extends PostgresOptions {
  readonly model: RunModel;
  /** Makes models of keys of the owners' own; without it, keys are kept and not used. */
  readonly modelOf?: ModelOf;
  readonly tools?: readonly Tool[];
  /** Outside services: each brings tools and a way to connect accounts. */
  readonly connectors?: readonly ((deps: ConnectorDeps) => Connector)[];
  readonly policy?: Policy;
  /** False: nothing outside is changed, not even a draft. */
  readonly sideEffects?: boolean;
  readonly caps?: Partial<Caps>;
  /** Which files owners may hand over; plain text only, unless set. */
  readonly files?: FileCheck;
  /** Bytes of files that are attached to no run yet: 200 MB of one owner and 2,000 MB in all, unless set; 0 for no limit. */
  readonly uploadQuota?: Partial<UploadQuota>;
  /** Where bytes are kept, if not in the database. */
  readonly s3?: S3Settings;
  readonly limits?: Partial<EngineLimits>;
  /** `sweep` (default): a full worker. `own`: advances only what this process starts. `none`: leaves the work to other processes. */
  readonly work?: "sweep" | "own" | "none";
  /** How long an approval may be decided; 72 hours unless set. */
  readonly approvalTtlMs?: number;
  /** How long an approval can be taken back before it is carried out; 0 unless set, at most a minute. */
  readonly undoMs?: number;
  readonly modelLimits?: Partial<ModelLimits>;
  readonly clock?: Clock;
  readonly onProblem?: (message: string, error?: unknown) => void;
  /** What this process does, for logs and figures: no words of a run are in it. */
  readonly onRuntimeEvent?: (runtimeEvent: RuntimeEvent) => void;
  /** Spans, which there are if the process has an OpenTelemetry SDK, hold prompts, answers, arguments and results too. */
  readonly traceContent?: boolean;
  /** For tests: shorter beats, and ports wrapped on their way in. */
  readonly engine?: {
    readonly leaseMs?: number;
    readonly sweepMs?: number;
    readonly pollMs?: number;
    readonly workerName?: string;
  };
  readonly wrap?: (store: Store) => Store;
}

export interface Runtime {
  /** The owner's Brons, with what each is doing. */
  readonly brons: BronService;
  readonly runs: RunService;
  /** Changes of all runs of an owner, for lists. */
  readonly changes: RunChanges;
  readonly approvals: ApprovalService;
  readonly artifacts: ArtifactService;
  /** Files that the owner hands over. */
  readonly uploads: UploadService;
  readonly effects: EffectService;
  /** Who did what, when; nothing of it is ever changed. */
  readonly audit: AuditService;
  /** Accounts at outside services. */
  readonly connections: ConnectionService;
  /** What the owner lays down about effects. */
  readonly permissions: Permissions;
  /** Browsers that are signed in. */
  readonly sessions: SessionService;
  /** Personal tokens for the API. */
  readonly tokens: TokenService;
  /** How often something may be done. */
  readonly rates: Rates;
  /** How many streams an owner may have open. */
  readonly streamSlots: StreamSlotService;
  /** Model keys of the owner's own. */
  readonly modelKeys: ModelKeyService;
  /** The answer in progress of a run, wherever it is made. */
  readonly answers: PartialTexts;
  readonly workerName: string;
  /** What runs can use, by name. */
  tools(): ToolView[];
  /** What the owner's runs came to, by days of a zone. */
  usage(ownerId: string, period: UsagePeriod): Promise<UsageView>;
  /** Resolves once the database has answered. */
  ping(): Promise<void>;
  /** What there is to do now, over all owners and processes. */
  load(): Promise<Load>;
  /** The answer in progress, as far as it is made in this process. Returns a function that ends it. */
  onDelta(listener: (delta: TextDelta) => void): () => void;
  /** HMAC-SHA256 by the secret of this home or database, base64url; `purpose` keeps signatures for different uses apart. */
  sign(purpose: string, text: string): string;
  /** True the first time that a key is used, in any process, and never again. */
  useOnce(key: string): Promise<boolean>;
  /** Whether a key has been used, without using it. */
  wasUsed(key: string): Promise<boolean>;
  /** Sets or removes an owner's money cap, in millionths of a US dollar. */
  setOwnerCap(ownerId: string, capMicrousd: number | null): Promise<void>;
  /** Everything that matters, as of one moment; `restoreBron` brings it back. */
  backup(): AsyncGenerator<RuntimeBackupLine>;
  /** Lets go of its runs, so that others can go on at once, and stops what it started. Idempotent. */
  close(): Promise<void>;
}

const defaultApprovalTtlMs = 72 * 3_600_000;

const maxUndoMs = 60_000;

function checkUndo(undoMs: number): number {
  if (Number.isInteger(undoMs) && undoMs >= 0 && undoMs <= maxUndoMs) return undoMs;
  throw new BronError(
    "config_invalid",
    `undoMs must be whole milliseconds from 0 to ${maxUndoMs}.`,
  );
}

/** The whole runtime as one object. Every app is a door over it. */
export async function createRuntime(options: RuntimeOptions): Promise<Runtime> {
  const closing: (() => Promise<void>)[] = [];
  const close = async () => {
    const failures: unknown[] = [];
    for (let step = closing.pop(); step; step = closing.pop())
      await step().catch((error: unknown) => failures.push(error));
    if (failures.length > 0)
      throw failures.length === 1
        ? failures[0]
        : new AggregateError(failures, "Not everything could be closed");
  };
  try {
    return await open(options, closing, close);
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}

async function open(
  options: RuntimeOptions,
  closing: (() => Promise<void>)[],
  close: () => Promise<void>,
): Promise<Runtime> {
  const clock = options.clock ?? systemClock;
  const onProblem = options.onProblem ?? (() => undefined);
  const undoMs = checkUndo(options.undoMs ?? 0);
  const caps = mergeCaps(defaultCaps, options.caps);
  const { databaseUrl, adminUrl, secretKey, close: closePostgres } = await openPostgres(options);
  closing.push(closePostgres);
  await setUpDatabase({ url: databaseUrl, adminUrl });
  const database = await openDatabase({ url: databaseUrl, poolSize: 12 });
  closing.push(database.close);
  await checkInstance(database.db, { secretKeyFingerprint: fingerprint(secretKey) });

  const deltas = createDeltas((error) => onProblem("A listener to deltas failed", error));
  const feed = openChangeFeed({ url: databaseUrl, pool: database.pool, onProblem });
  closing.push(feed.close);
  const queueDatabase = openQueueDatabase(databaseUrl);
  closing.push(queueDatabase.close);
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
  // Followers in this process are told directly, those elsewhere by the feed.
  const appended = (runId: string, made: Appended) => {
    const { events, lastSeq, createdAt } = made;
    runtimeEvents.appended(runId, made);
    answers.over(runId);
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
      answers.over(wake.runId);
      hub.changed(wake.runId, 0);
      changes.changed(wake.runId);
      feed.changed({ runId: wake.runId, lastSeq: 0 });
    },
  };
  const blobs = createBlobs(database.db, options.s3 && s3Store(options.s3));
  const base = createPostgresStore(database, waker, blobs);
  const runtimeEvents = createTelemetry({
    isTool: (name) => tools.has(name),
    onRuntimeEvent: options.onRuntimeEvent ?? (() => undefined),
    onProblem: (error) => onProblem("A listener to deeds failed", error),
    monotonic: clock.monotonic,
  });
  const tracing = createTracing({ withContent: options.traceContent ?? false });
  const store = runtimeEvents.watch(options.wrap?.(base) ?? base);
  const hub = createEventHub(store.runs, clock);
  closing.push(() => Promise.resolve(hub.close()));
  const changes = createChanges({
    runs: store.runs,
    clock,
    onProblem: (error) => onProblem("A listener to changes failed", error),
  });
  closing.push(() => Promise.resolve(changes.close()));
  const answers = createPartialTextKeeper({
    answers: postgresPartialTexts(database.db),
    runs: store.runs,
    clock,
    onWritten: feed.answered,
  });
  closing.push(answers.close);
  const streamSlots = createStreamSlots({ slots: postgresStreamSlots(database.pool), clock });
  closing.push(streamSlots.close);
  feed.listen({
    onPartialText: answers.changed,
    onChange({ runId, lastSeq }) {
      hub.changed(runId, lastSeq);
      changes.changed(runId);
      engine.logAdvanced(runId, lastSeq);
    },
    onGap() {
      hub.checkAll();
      changes.missed();
    },
  });
  const sign: Sign = (purpose, text) =>
    createHmac("sha256", secretKey).update(`bron.${purpose}\n${text}`).digest("base64url");
  const usedKeys = postgresUsedKeys(database.db);
  const usage = postgresUsage(database.pool);
  const permissions = postgresPermissions(database, options.sideEffects ?? true);
  const connectorParts: ConnectorDeps = {
    vault: createTokenVault(postgresOauthTokens(database.db), secretKey),
    sign,
    useOnce: usedKeys.useOnce,
    clock,
    contacts: postgresContacts(database.pool),
  };
  const connectors = (options.connectors ?? []).map((create) => create(connectorParts));
  const tools = toolMap([
    planTool,
    ...childRunTools({ runs: store.runs }),
    ...(options.tools ?? []),
    ...connectors.flatMap((connector) => connector.tools),
  ]);
  const { modelFor, ...modelKeys } = createModelKeys({
    keys: postgresModelKeys(database.pool),
    cipher: createCipher(secretKey, "model-keys"),
    modelOf: options.modelOf,
    usual: options.model,
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
      deltas.tell(delta);
      answers.delta(delta);
    },
    onAppend: appended,
    proveApproval: async ({ ownerId, approvalId, digest }) =>
      (await store.approvals.usedTokenHash(ownerId, approvalId)) ===
      approvalTokenHash(sign, approvalId, digest),
  });
  closing.push(engine.close);
  const wrapSegment = (runId: string, segment: () => Promise<AdvanceEnd>) =>
    runtimeEvents.segment(runId, () => tracing.segment(segment));
  const sweep = {
    takeRunnable: (request: TakeRequest) => takeRunnable(database.pool, request),
    expireDue: () => store.approvals.expireDue(),
    notifyParents: (only: readonly string[] | undefined) => store.runs.notifyParents(only),
  };
  await withNamedOutages(() => engine.start({ deps, log: store.log, wrapSegment, sweep }));
  // After the engine, so that a worker that cannot start leaves nothing running.
  if ((options.work ?? "sweep") === "sweep")
    closing.push(startUploadUpkeep({ uploads: store.uploads, clock, onProblem }).close);

  return {
    brons: createBrons(postgresBrons(database), permissions),
    changes: { follow: changes.follow },
    tools: () => toolViews(tools.values()),
    usage: (ownerId, period) => usageOf(usage, ownerId, period),
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
    answers: { follow: answers.follow },
    workerName: engine.workerName,
    ...postgresLoad(database.pool),
    sign,
    ...usedKeys,
    onDelta: deltas.listen,
    backup: () =>
      backupLines(
        { pool: database.pool, blobs },
        options.databaseUrl === undefined ? secretKey : undefined,
      ),
    setOwnerCap: store.budgets.setOwnerCap,
    close,
  };
}
