import type { LanguageModelV4 } from "@ai-sdk/provider";
import type {
  ApprovalView,
  ArtifactView,
  AttachedContext,
  AuditActor,
  AuditFilter,
  AuditView,
  AuditKind,
  BronView,
  Caps,
  CreateRun,
  EffectView,
  ActionView,
  AllowedView,
  ErrorCode,
  GrantView,
  FailureMode,
  JsonObject,
  JsonValue,
  NewEvent,
  RetryOf,
  RunChange,
  RunEvent,
  RunStatus,
  PermissionsView,
  RuleView,
  RunView,
  Settlement,
  TrustLevel,
  UploadView,
  UsageView,
} from "@bron/protocol";

import type { JudgeInput } from "./policy/judge.ts";
import type { PolicyDecision } from "./policy/policy-decision.ts";
import type { PolicyRules } from "./policy/rules.ts";

/** Source of time and randomness, so that tests need no sleeps. */
export interface Clock {
  /** Wall clock, epoch milliseconds. */
  now(): number;
  /** Milliseconds that never go back. */
  monotonic(): number;
  /** Resolves after `ms` milliseconds, or immediately when the signal aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** 0 <= x < 1. Used for jitter. */
  random(): number;
}

export interface Ids {
  uuid(): string;
}

// The run log

/** The right to write to a run's log. It is valid while the run's row has this epoch. */
export interface Lease {
  readonly runId: string;
  readonly ownerId: string;
  readonly worker: string;
  readonly epoch: number;
}

/** What the loop needs to know about a run besides its log. */
export interface RunHeader {
  readonly id: string;
  readonly ownerId: string;
  readonly bronId: string;
  readonly threadId: string;
  readonly attachedContext: readonly AttachedContext[];
  readonly caps: Caps;
  /** Set when the owner has a money cap. Runs draw from it in blocks. */
  readonly ownerCapMicrousd: number | null;
}

export interface ClaimRequest {
  readonly runId: string;
  readonly worker: string;
  readonly leaseMs: number;
  /**
   * Latest time, by the database's clock (epoch milliseconds), at which another worker's expired
   * lease may be taken over. 0 means never.
   * This is a point in time and not a boolean because a request that hung during an outage arrives
   * when every lease looks expired.
   * A lease that ends later than any live worker's can may also be taken. That happens when the
   * clock was set back after its holder died.
   */
  readonly takeOverUntil: number;
  /** Maximum number of runs with a live lease, per owner and in total. */
  readonly maxPerOwner: number;
  readonly maxInAll: number;
}

export type ClaimResult =
  | {
      readonly claimed: true;
      readonly lease: Lease;
      readonly run: RunHeader;
      readonly lastSeq: number;
      /** The complete log, read under the lease. */
      readonly events: readonly RunEvent[];
      readonly drawnMicrousd: number;
      /** Claims since a lease holder last appended, including this one. */
      readonly claimsWithoutProgress: number;
      /** The database's clock at the claim, epoch milliseconds. */
      readonly databaseNow: number;
    }
  | {
      readonly claimed: false;
      readonly reason: "taken" | "not_runnable" | "too_early" | "limit" | "too_new";
    };

export interface AppendRequest {
  readonly lease: Lease;
  /** The append is rejected unless the log ends exactly at this sequence number. */
  readonly seen: number;
  readonly events: readonly NewEvent[];
  readonly leaseMs: number;
  /** `park` and `end` release the lease in the same statement. A parked run waits to be woken. */
  readonly release?: "park" | "end";
  /**
   * Approvals that this append uses up. Each must be approved and not expired by the database's
   * clock.
   */
  readonly consume?: readonly string[];
  /** Money that the run has spent and still reserves after this append. Unchanged when omitted. */
  readonly chargedMicrousd?: number;
  /** Draws from the owner's cap: at least `needMicrousd` and at most `blockMicrousd`. */
  readonly draw?: { readonly needMicrousd: number; readonly blockMicrousd: number };
}

export type AppendResult =
  | {
      readonly ok: true;
      readonly lastSeq: number;
      readonly createdAt: string;
      readonly drawnMicrousd: number;
      readonly ownerCapMicrousd: number | null;
    }
  /**
   * `lost`: the epoch is gone, so stop. `moved`: read the new events and decide again. The others
   * name what was rejected.
   */
  | { readonly ok: false; readonly reason: "lost" | "moved" | "approval" | "budget" };

export interface Renewal {
  readonly databaseNow: number;
  readonly kept: readonly {
    readonly runId: string;
    readonly epoch: number;
    readonly lastSeq: number;
  }[];
}

export interface RunLog {
  /**
   * Takes one round trip and uses the database's clock. A worker may claim a run that it already
   * holds at any time; it gets a new epoch. Throws only when the database is unreachable.
   */
  claim(request: ClaimRequest): Promise<ClaimResult>;
  read(
    lease: { readonly runId: string; readonly ownerId: string },
    afterSeq: number,
  ): Promise<RunEvent[]>;
  /** Writes the events and their projections in one statement and one commit: all or nothing. */
  append(request: AppendRequest): Promise<AppendResult>;
  /**
   * Releases a lease without an event. The run stays runnable, but not before `delayMs` from now.
   * Returns false if the epoch is gone.
   */
  release(
    lease: Lease,
    options: { readonly delayMs: number; readonly keepCount: boolean },
  ): Promise<boolean>;
  /**
   * Renews all leases of a worker in one statement. The result lists the leases that it still holds
   * and where each log ends.
   */
  renew(worker: string, leases: readonly Lease[], leaseMs: number): Promise<Renewal>;
}

/** A worker's request for runnable runs that no worker holds. */
export interface TakeRequest {
  readonly worker: string;
  /**
   * Runs that this worker is advancing. Any other run under its lease is one that it dropped, and
   * it takes it up again.
   */
  readonly active: readonly string[];
  /** Limits the request to these runs. Undefined means all runs. */
  readonly only: readonly string[] | undefined;
  readonly limit: number;
  /** See ClaimRequest. */
  readonly leaseMs: number;
  readonly takeOverUntil: number;
  readonly maxPerOwner: number;
  readonly maxInAll: number;
}

// Everything else that is stored. Every call names the owner. Data of another owner is reported as
// not found.

export interface NewRun {
  readonly ownerId: string;
  readonly input: CreateRun;
  readonly title: string;
  readonly caps: Caps;
  readonly idempotencyKey?: string;
  /** The parent run. Its log records the new child in the same transaction. */
  readonly parent?: ParentRun;
  /** Set for a retry of another run of the owner. The new run gets that run's attachments. */
  readonly retry?: RetryOf;
  /** Earlier messages as reported by the caller. They start a thread that has no messages yet. */
  readonly earlier?: readonly EarlierMessage[];
}

export interface ParentRun {
  readonly runId: string;
  /** The parent's action that started this run. */
  readonly actionId?: string;
  /** True if the parent's model had seen only the owner's words when it wrote this task. */
  readonly trusted?: boolean;
  readonly failureMode: FailureMode;
  readonly insteadOf?: string;
  /**
   * Maximum number of child runs of the parent, including finished ones. Beyond it, the call fails
   * with cap_children.
   */
  readonly maxChildren?: number;
}

export interface EarlierMessage {
  readonly role: "user" | "assistant";
  readonly content: string;
}

export interface ListRuns {
  readonly status?: RunStatus;
  readonly bronId?: string;
  /** Only runs whose id starts with this prefix, in lower case. */
  readonly idPrefix?: string;
  readonly limit?: number;
  /** Only runs created before this one. */
  readonly before?: string;
}

export interface Runs {
  /**
   * Creates the run, its first events, the user message, the attached uploads and the wake in one
   * transaction. The same idempotency key returns the same run.
   * Throws not_found for an upload that has no bytes or belongs to another owner, and conflict for
   * one that belongs to another run.
   */
  create(run: NewRun): Promise<RunView>;
  get(ownerId: string, runId: string): Promise<RunView | undefined>;
  list(ownerId: string, options: ListRuns): Promise<RunView[]>;
  /**
   * Returns those of the given runs that belong to one of the owners. With `active` it adds all
   * of their unfinished runs.
   */
  changes(
    ownerIds: readonly string[],
    of: { readonly runIds: readonly string[]; readonly active?: boolean },
  ): Promise<RunChange[]>;
  events(ownerId: string, runId: string, afterSeq: number, limit?: number): Promise<RunEvent[]>;
  /** Counts runs by status. For each terminal status it counts at most `maxCountedRuns`. */
  counts(ownerId: string): Promise<Partial<Record<RunStatus, number>>>;
  actions(ownerId: string, runId: string): Promise<ActionView[]>;
  effects(ownerId: string, runId: string): Promise<EffectView[]>;
  /**
   * Records in every started, unfinished run of the owner that an account is connected. Returns the
   * number of runs.
   */
  announceConnected(ownerId: string, provider: string): Promise<number>;
  /**
   * Records in parent runs that a child waits for a person or has finished, and cancels children of
   * finished parents. Returns the number of changes. `only` limits this to the given parents or
   * children. Safe to repeat after a crash.
   */
  notifyParents(only?: readonly string[]): Promise<number>;
  /**
   * Marks the run and its descendants as canceled, except finished ones. Returns false if the run
   * itself had finished.
   */
  requestCancel(ownerId: string, runId: string, reason?: string): Promise<boolean>;
  /** Does the same for all runs of an owner in one statement. Returns the canceled runs. */
  requestCancelAll(ownerId: string, reason?: string): Promise<string[]>;
}

export interface Effects {
  get(ownerId: string, effectId: string): Promise<EffectView | undefined>;
  /** Effects that ended as unknown and that the owner has not settled, newest first. */
  listUnknown(ownerId: string): Promise<EffectView[]>;
  /**
   * Works once, and only for an effect that ended as unknown. The run's log stays unchanged. Throws
   * not_found or conflict.
   */
  settle(settling: {
    readonly ownerId: string;
    readonly effectId: string;
    readonly as: Settlement;
    readonly note?: string;
  }): Promise<EffectView>;
}

/** `details` never contains message bodies, tokens or text from outside. */
export interface NewAudit {
  readonly what: AuditKind;
  readonly by: AuditActor;
  readonly runId?: string;
  readonly actionId?: string;
  readonly effectId?: string;
  readonly approvalId?: string;
  readonly tool?: string;
  readonly digest?: string;
  readonly details?: JsonObject;
}

export interface ListAudit {
  /** Rows older than this one. */
  readonly before?: number;
  readonly limit?: number;
  readonly runId?: string;
  readonly what?: AuditFilter;
}

/** An append-only log. The rows for an append are written by the append itself. */
export interface Audit {
  write(ownerId: string, entry: NewAudit): Promise<void>;
  /** Newest first. */
  list(ownerId: string, options: ListAudit): Promise<AuditView[]>;
}

export interface Decision {
  readonly ownerId: string;
  readonly approvalId: string;
  /** The digest of what the owner saw. */
  readonly digest: string;
  readonly approved: boolean;
  readonly reason?: string;
  /** Hash of the one-time token. The executor must be able to derive the same token. */
  readonly tokenHash?: string;
  /** Delay before an approved effect starts. The owner can undo the approval until then. */
  readonly undoMs?: number;
  /**
   * The owner's reply instead of a yes or no. It closes the approval, and the run gets the text as
   * a user message.
   */
  readonly reply?: string;
}

export interface Edit {
  readonly ownerId: string;
  readonly approvalId: string;
  /** The digest of what the owner saw. */
  readonly digest: string;
  /** Fields as the tool's `editing.fields` schema defines them. The caller validates them. */
  readonly changes: JsonObject;
}

export interface ListApprovals {
  readonly runId?: string;
  readonly pendingOnly?: boolean;
  /** Only approvals whose id starts with this prefix, in lower case. */
  readonly idPrefix?: string;
  /** Defaults to 500. */
  readonly limit?: number;
  /** Only approvals requested after this one. */
  readonly after?: string;
}

export interface Approvals {
  get(ownerId: string, approvalId: string): Promise<ApprovalView | undefined>;
  /** Oldest first. */
  list(ownerId: string, options: ListApprovals): Promise<ApprovalView[]>;
  /**
   * Decides once and wakes the run in the same transaction. Throws not_found, digest_mismatch or
   * approval_closed.
   */
  decide(decision: Decision): Promise<ApprovalView>;
  /**
   * Supersedes the approval and wakes the run, which prepares the edited version and asks again.
   * Throws like `decide`.
   */
  edit(edit: Edit): Promise<ApprovalView>;
  /** Undoes an approval before its effect may start. Throws not_found or approval_closed. */
  undo(ownerId: string, approvalId: string): Promise<ApprovalView>;
  /** The token hash of an approval that an attempt has used up. */
  usedTokenHash(ownerId: string, approvalId: string): Promise<string | undefined>;
  /** Expires overdue approvals and wakes their runs. Returns the number of approvals. */
  expireDue(): Promise<number>;
}

export interface NewArtifact {
  readonly ownerId: string;
  readonly runId: string;
  readonly kind: string;
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

export interface Artifacts {
  /**
   * Stores bytes under their digest, once per owner. The artifact becomes visible with its event.
   */
  put(artifact: NewArtifact): Promise<{ artifactId: string; digest: string; sizeBytes: number }>;
  list(ownerId: string, runId: string): Promise<ArtifactView[]>;
  read(ownerId: string, digest: string): Promise<Uint8Array | undefined>;
  /**
   * Streams the same bytes. `chunks` can be read once. It throws before its end if the bytes do not
   * match the stored digest.
   */
  open(ownerId: string, digest: string): Promise<OpenBytes | undefined>;
}

export interface OpenBytes {
  readonly sizeBytes: number;
  readonly chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** Limits for bytes of files that are not attached to a run yet. 0 means no limit. */
export interface UploadQuota {
  readonly ownerBytes: number;
  readonly allBytes: number;
}

export interface Uploads {
  /**
   * Bytes are accepted until `expiresAt`, by the database's clock. Throws upload_quota if the file
   * does not fit beside the pending uploads.
   */
  create(
    ownerId: string,
    upload: {
      readonly filename: string;
      readonly contentType: string;
      readonly sizeBytes: number;
      readonly ttlMs: number;
      readonly quota?: UploadQuota;
    },
  ): Promise<{ upload: UploadView; expiresAt: string }>;
  get(ownerId: string, uploadId: string): Promise<UploadView | undefined>;
  /** Returns an upload that still accepts its bytes. */
  getPending(ownerId: string, uploadId: string): Promise<UploadView | undefined>;
  /**
   * Stores the bytes once. `digest` is the digest of the bytes. Throws conflict if the upload
   * already has bytes, or not_found.
   */
  storeContent(
    ownerId: string,
    uploadId: string,
    file: { readonly digest: string; readonly bytes: Uint8Array },
  ): Promise<UploadView>;
  /**
   * Records the attachment in the run's log in the same transaction. Throws not_found, or conflict
   * if the upload has no bytes, belongs to another run, or the run has finished.
   */
  attach(ownerId: string, uploadId: string, runId: string): Promise<UploadView>;
  /**
   * Removes uploads of all owners that were announced longer ago than this and never attached, and
   * bytes that nothing else references. Returns the number of removed uploads. Call it again until
   * it returns 0.
   */
  removeUnattached(olderThanMs: number): Promise<number>;
}

/** Decides which files may be uploaded. */
export interface FileCheck {
  /** Checks the announced type. Returns a sentence for the owner if the file is rejected. */
  announced(file: { readonly contentType: string }): string | undefined;
  /** Checks the first bytes, or all of them if `isComplete`. */
  content(file: {
    readonly contentType: string;
    readonly bytes: Uint8Array;
    readonly isComplete: boolean;
  }): string | undefined;
}

export interface ThreadMessage {
  readonly role: "user" | "assistant";
  readonly content: string;
  /**
   * True for the owner's own messages, and for model messages written with nothing untrusted in
   * context.
   */
  readonly trusted: boolean;
}

export interface Profile {
  readonly persona: string;
  readonly aboutUser: string;
}

export interface NewBronRow {
  readonly name: string;
  /** Defaults to a color that no other Bron of the owner uses. */
  readonly avatarColor?: string;
  readonly systemPrompt: string;
  readonly trustLevel: TrustLevel;
}

/** Texts must be cleaned by the caller. Omitted fields stay unchanged. */
export interface ChangedBronRow {
  readonly name?: string;
  readonly avatarColor?: string;
  readonly systemPrompt?: string;
  readonly memorySummary?: string;
}

/** The Brons of an owner. Every change is written to the audit log in the same transaction. */
export interface Brons {
  /** Sorted by latest activity. Creates the default Bron for an owner who has none. */
  list(ownerId: string): Promise<BronView[]>;
  get(ownerId: string, bronId: string): Promise<BronView | undefined>;
  /** Returns the new Bron's id. */
  create(ownerId: string, bron: NewBronRow): Promise<string>;
  /** Throws not_found. */
  change(ownerId: string, bronId: string, changes: ChangedBronRow): Promise<void>;
}

export interface Threads {
  /** The newest messages of the thread before this run, oldest first. */
  tail(
    ownerId: string,
    threadId: string,
    beforeRunId: string,
    limit: number,
  ): Promise<ThreadMessage[]>;
  profile(ownerId: string, bronId: string): Promise<Profile | undefined>;
}

/** Usage totals of an owner's runs. */
export interface Usage {
  /**
   * Returns `days` consecutive days in the zone up to today, oldest first, and the median duration
   * of the finished runs. Throws invalid_input for an unknown zone.
   */
  byDay(
    ownerId: string,
    period: { readonly days: number; readonly zone: string },
  ): Promise<{ days: UsageView["days"]; medianSeconds: number | null }>;
}

export interface Budgets {
  /** Sets or removes an owner's money cap. */
  setOwnerCap(ownerId: string, capMicrousd: number | null): Promise<void>;
  ownerSpending(ownerId: string): Promise<{ capMicrousd: number | null; drawnMicrousd: number }>;
}

export interface Store {
  readonly log: RunLog;
  readonly runs: Runs;
  readonly approvals: Approvals;
  readonly artifacts: Artifacts;
  readonly uploads: Uploads;
  readonly threads: Threads;
  readonly budgets: Budgets;
  readonly effects: Effects;
  readonly audit: Audit;
}

// Waking

export interface Wake {
  readonly runId: string;
  readonly ownerId: string;
  /** Number of this wake for the run. It is part of the segment's name. */
  readonly wake: number;
  readonly delayMs: number;
  /** True if a live worker holds the run. That worker only needs a notification. */
  readonly held: boolean;
}

/** The store calls this for every run that became runnable. */
export interface Waker {
  /** Whether this process would start a run that is woken now. If so, nothing is enlisted. */
  takesHere(): boolean;
  /**
   * Queues the wake for other processes inside the writer's transaction, so it rolls back with it.
   * `transaction` is the store's own client.
   */
  enlist(wake: Wake, transaction: unknown): Promise<void>;
  /** Called after the commit. `here` is what `takesHere` returned before it. Must not throw. */
  committed(wake: Wake, here: boolean): void;
}

// Models

export interface ModelPrice {
  readonly inputMicrousdPerMillion: number;
  readonly outputMicrousdPerMillion: number;
}

export interface RunModel {
  readonly model: LanguageModelV4;
  /** Display name, e.g. `gemini/gemini-2.5-flash`. */
  readonly name: string;
  /** Includes thinking tokens. */
  readonly maxOutputTokens: number;
  readonly price?: ModelPrice;
}

/** A piece of text that the model is streaming. Not part of the log. */
export interface TextDelta {
  readonly runId: string;
  readonly step: number;
  readonly attempt: number;
  readonly kind: "text" | "reasoning";
  readonly delta: string;
}

// Policy

export interface ProposedEffect {
  readonly runId: string;
  readonly ownerId: string;
  readonly actionId: string;
  readonly tool: string;
  readonly seenBy: "owner" | "others";
  readonly prepared: JsonValue;
}

/**
 * What the policy judges an effect by: whom and what it reaches, what the run has read, and the
 * owner's rules.
 */
export type PolicyView = Omit<JudgeInput, "tool" | "seenBy">;

/** A pure function. No model output can change it. */
export type Policy = (effect: ProposedEffect, view: PolicyView) => PolicyDecision;

/**
 * The owner's rules about effects. The owner can list and revoke them. Every call names the owner.
 * Data of another owner is reported as not found.
 */
export interface Permissions {
  readonly rules: RulesSource;
  /** Everything, with the trust level of the default Bron. */
  view(ownerId: string): Promise<PermissionsView>;
  /** Counts a use of each grant that allowed an effect. */
  countUses(ownerId: string, grantIds: readonly string[]): Promise<void>;
  /** `null` means the owner's default Bron. */
  trustLevel(ownerId: string, bronId: string | null): Promise<TrustLevel>;
  setTrustLevel(ownerId: string, bronId: string | null, level: TrustLevel): Promise<void>;
  listRules(ownerId: string): Promise<RuleView[]>;
  /** One rule per tool and Bron. A new rule replaces the previous one. */
  putRule(ownerId: string, rule: Pick<RuleView, "bronId" | "tool" | "verdict">): Promise<RuleView>;
  removeRule(ownerId: string, id: string): Promise<void>;
  listAllowed(ownerId: string): Promise<AllowedView[]>;
  /** Accepts an address or a domain. Throws invalid_input for anything else. */
  allow(ownerId: string, value: string): Promise<AllowedView>;
  disallow(ownerId: string, id: string): Promise<void>;
  listGrants(ownerId: string): Promise<GrantView[]>;
  grant(
    ownerId: string,
    grant: Pick<GrantView, "bronId" | "tool" | "recipient"> & { readonly days: number },
  ): Promise<GrantView>;
  revoke(ownerId: string, id: string): Promise<void>;
}

/** Loads the owner's current rules. */
export type RulesSource = (run: {
  readonly ownerId: string;
  readonly bronId: string;
}) => Promise<PolicyRules>;

export interface CodedError {
  readonly code: ErrorCode;
  readonly message: string;
}

// Accounts outside

/**
 * OAuth tokens of an owner's account. Stored encrypted. Never shown, logged or given to a model.
 */
export interface Grant {
  /** Name of the account at the provider, e.g. its address. */
  readonly account: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  readonly scopes: readonly string[];
}

export interface TokenVault {
  load(ownerId: string, provider: string): Promise<Grant | undefined>;
  save(ownerId: string, provider: string, grant: Grant): Promise<void>;
  /**
   * Replaces `before` with the renewed grant. Returns false and writes nothing if `before` was
   * removed or replaced meanwhile.
   */
  renew(ownerId: string, provider: string, before: Grant, renewed: Grant): Promise<boolean>;
  remove(ownerId: string, provider: string): Promise<void>;
}

/** A person whom the owner has written to personally, with the names that the owner used. */
export interface Contact {
  readonly address: string;
  readonly names: readonly string[];
}

/**
 * Remembers which addresses the owner has written to. `source` is the account's provider. Addresses
 * are normalized.
 */
export interface Contacts {
  find(ownerId: string, source: string, addresses: readonly string[]): Promise<Contact[]>;
  remember(ownerId: string, source: string, people: readonly Contact[]): Promise<void>;
}

/** Signs with the instance's secret. Signatures for different purposes are unrelated. */
export type Sign = (purpose: string, text: string) => string;
