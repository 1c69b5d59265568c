import type { LanguageModelV4 } from "@ai-sdk/provider";
import type {
  ApprovalView,
  ArtifactView,
  AttachedContext,
  AuditActor,
  AuditFilter,
  AuditView,
  AuditWhat,
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

/** Time and chance come from here, so that tests need no sleeps. */
export interface Clock {
  /** Wall clock, epoch milliseconds. */
  now(): number;
  /** Milliseconds that never go back. */
  monotonic(): number;
  /** Resolves after so many milliseconds, or at once when the signal aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** 0 <= x < 1, for jitter. */
  random(): number;
}

export interface Ids {
  uuid(): string;
}

// The run log

/** The right to write to a run's log. Valid while the row has this epoch. */
export interface Lease {
  readonly runId: string;
  readonly ownerId: string;
  readonly worker: string;
  readonly epoch: number;
}

/** What the loop needs to know of a run beside its log. */
export interface RunHeader {
  readonly id: string;
  readonly ownerId: string;
  readonly bronId: string;
  readonly threadId: string;
  readonly attachedContext: readonly AttachedContext[];
  readonly caps: Caps;
  /** Set when the owner has a money cap; runs draw from it in blocks. */
  readonly ownerCapMicrousd: number | null;
}

export interface ClaimRequest {
  readonly runId: string;
  readonly worker: string;
  readonly leaseMs: number;
  /**
   * Until when, by the database's clock (epoch milliseconds), an expired lease of another may be taken; 0 for not at all.
   * A moment and not a yes: a request that hung in a pause arrives when every lease looks expired.
   * A lease that ends later than any living worker's can, since the clock was set back after its holder died, may be taken too.
   */
  readonly takeOverUntil: number;
  /** Runs under a live lease, of one owner and in all. */
  readonly maxPerOwner: number;
  readonly maxInAll: number;
}

export type ClaimResult =
  | {
      readonly claimed: true;
      readonly lease: Lease;
      readonly run: RunHeader;
      readonly lastSeq: number;
      /** The whole log, read under the lease. */
      readonly events: readonly RunEvent[];
      readonly drawnMicrousd: number;
      /** Claims since the last append by a lease holder, this one included. */
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
  /** The append is refused unless the log ends exactly here. */
  readonly seen: number;
  readonly events: readonly NewEvent[];
  readonly leaseMs: number;
  /** `park` and `end` give the lease back in the same statement; a parked run waits to be woken. */
  readonly release?: "park" | "end";
  /** Approvals that this append uses up. Each must be approved and unexpired by the database's clock. */
  readonly consume?: readonly string[];
  /** Money spent and still reserved by the run after this append; unchanged if it is not given. */
  readonly chargedMicrousd?: number;
  /** Draws from the owner's cap: at least `needMicrousd`, at most `blockMicrousd`. */
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
  /** `lost`: the epoch is gone, stop. `moved`: read the gap and decide again. The others name what was refused. */
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
  /** One round trip, by the database's clock. A worker's own lease it may claim at any time, under a new epoch. Throws only when the database cannot be asked. */
  claim(request: ClaimRequest): Promise<ClaimResult>;
  read(
    lease: { readonly runId: string; readonly ownerId: string },
    afterSeq: number,
  ): Promise<RunEvent[]>;
  /** One statement, one commit, projections included. All or nothing. */
  append(request: AppendRequest): Promise<AppendResult>;
  /** Gives a lease back without an event; the run stays runnable, not before `delayMs` from now. False if the epoch is gone. */
  release(
    lease: Lease,
    options: { readonly delayMs: number; readonly keepCount: boolean },
  ): Promise<boolean>;
  /** Renews all leases of a worker in one statement; the answer lists those that it still has, with the end of each log. */
  renew(worker: string, leases: readonly Lease[], leaseMs: number): Promise<Renewal>;
}

/** A worker's look for runnable runs that nobody holds. */
export interface TakeRequest {
  readonly worker: string;
  /** Runs that this worker is advancing. Another one under its lease is one that it dropped, and takes up again. */
  readonly active: readonly string[];
  /** Only these runs; all if it is not given. */
  readonly only: readonly string[] | undefined;
  readonly limit: number;
  /** See ClaimRequest. */
  readonly leaseMs: number;
  readonly takeOverUntil: number;
  readonly maxPerOwner: number;
  readonly maxInAll: number;
}

// Everything else that is stored. Every call names the owner; what belongs to someone else is not found.

export interface NewRun {
  readonly ownerId: string;
  readonly input: CreateRun;
  readonly title: string;
  readonly caps: Caps;
  readonly idempotencyKey?: string;
  /** The run that this one is a part of: it is told, in the same transaction. */
  readonly parent?: ParentRun;
  /** Tries another run of the owner again, with what was attached to that one. */
  readonly retry?: RetryOf;
  /** What was said before, by the word of whoever asks: it begins a thread that has nothing yet. */
  readonly earlier?: readonly EarlierMessage[];
}

export interface ParentRun {
  readonly runId: string;
  /** The action that hands it over. */
  readonly actionId?: string;
  /** Its task was written with nothing but the owner's words in view. */
  readonly trusted?: boolean;
  readonly failureMode: FailureMode;
  readonly insteadOf?: string;
  /** So many parts that it has or had, and it is refused with cap_children. */
  readonly most?: number;
}

export interface EarlierMessage {
  readonly role: "user" | "assistant";
  readonly content: string;
}

export interface ListRuns {
  readonly status?: RunStatus;
  readonly bronId?: string;
  /** Only runs whose id begins so, in lower case. */
  readonly idPrefix?: string;
  readonly limit?: number;
  /** Runs created before this one. */
  readonly before?: string;
}

export interface Runs {
  /**
   * Run, first events, user message, attached uploads and wake in one transaction. The same idempotency key gives the same run.
   * Throws not_found for an upload that is not the owner's or has no bytes, and conflict for one that is another run's.
   */
  create(run: NewRun): Promise<RunView>;
  get(ownerId: string, runId: string): Promise<RunView | undefined>;
  list(ownerId: string, options: ListRuns): Promise<RunView[]>;
  /** Those of these runs that belong to one of the owners; if `underWay`, also everything of theirs that is not over. */
  changes(
    ownerIds: readonly string[],
    of: { readonly runIds: readonly string[]; readonly underWay?: boolean },
  ): Promise<RunChange[]>;
  events(ownerId: string, runId: string, afterSeq: number, limit?: number): Promise<RunEvent[]>;
  /** By status; of each status that a run ends with, `mostCountedRuns` at most. */
  counts(ownerId: string): Promise<Partial<Record<RunStatus, number>>>;
  actions(ownerId: string, runId: string): Promise<ActionView[]>;
  effects(ownerId: string, runId: string): Promise<EffectView[]>;
  /** Tells every run of the owner that has begun and is not over that an account can be used; returns how many. */
  announceConnected(ownerId: string, provider: string): Promise<number>;
  /**
   * Tells runs how their parts stand, when they wait for a person and when they are over, and stops parts of runs that are over; returns
   * how many. `only`: of these wholes and these parts. Whoever dies meanwhile leaves it to the next.
   */
  notifyParents(only?: readonly string[]): Promise<number>;
  /** Marks the run and all below it; what is already over stays as it is. False if the run itself was over. */
  requestCancel(ownerId: string, runId: string, reason?: string): Promise<boolean>;
  /** The same for everything of an owner, in one statement; returns the runs that it stopped. */
  requestCancelAll(ownerId: string, reason?: string): Promise<string[]>;
}

export interface Effects {
  get(ownerId: string, effectId: string): Promise<EffectView | undefined>;
  /** Those that ended as unknown and that nobody has settled, newest first. */
  inDoubt(ownerId: string): Promise<EffectView[]>;
  /** Once, and only one that ended as unknown; the run's log stays as it is. Throws not_found or conflict. */
  settle(settling: {
    readonly ownerId: string;
    readonly effectId: string;
    readonly as: Settlement;
    readonly note?: string;
  }): Promise<EffectView>;
}

/** `details` holds no body, no token and no text from outside. */
export interface NewAudit {
  readonly what: AuditWhat;
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

/** Rows are added and read, nothing else. What an append tells of is written by the append itself. */
export interface Audit {
  write(ownerId: string, entry: NewAudit): Promise<void>;
  /** Newest first. */
  page(ownerId: string, options: ListAudit): Promise<AuditView[]>;
}

export interface Decision {
  readonly ownerId: string;
  readonly approvalId: string;
  /** The digest that the person saw. */
  readonly digest: string;
  readonly approved: boolean;
  readonly reason?: string;
  /** Of the one-time token that whoever carries it out must be able to make again. */
  readonly tokenHash?: string;
  /** Approved, it begins so much later, and can be taken back until then. */
  readonly undoMs?: number;
  /** Said instead of a decision: what was asked about is void, and the words enter the run. */
  readonly reply?: string;
}

export interface Edit {
  readonly ownerId: string;
  readonly approvalId: string;
  /** The digest that the person saw. */
  readonly digest: string;
  /** Fields as the tool takes them; checked by whoever calls. */
  readonly changes: JsonObject;
}

export interface ListApprovals {
  readonly runId?: string;
  readonly pendingOnly?: boolean;
  /** Only approvals whose id begins so, in lower case. */
  readonly idPrefix?: string;
  /** 500 unless it is given. */
  readonly limit?: number;
  /** Those that were asked for after this one. */
  readonly after?: string;
}

export interface Approvals {
  get(ownerId: string, approvalId: string): Promise<ApprovalView | undefined>;
  /** Oldest first. */
  list(ownerId: string, options: ListApprovals): Promise<ApprovalView[]>;
  /**
   * Decides once and wakes the run in the same transaction.
   * Throws not_found, digest_mismatch or approval_closed.
   */
  decide(decision: Decision): Promise<ApprovalView>;
  /** The approval is superseded, and the run woken to prepare what was changed and to ask again. Throws as `decide` does. */
  edit(edit: Edit): Promise<ApprovalView>;
  /** Takes an approval back while it may not begin yet. Throws not_found or approval_closed. */
  undo(ownerId: string, approvalId: string): Promise<ApprovalView>;
  /** The token's hash of an approval that has been used up by an attempt. */
  usedTokenHash(ownerId: string, approvalId: string): Promise<string | undefined>;
  /** Expires what is due and wakes its runs; returns how many. */
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
  /** Stores bytes under their digest, once per owner. The artifact becomes visible with its event. */
  put(artifact: NewArtifact): Promise<{ artifactId: string; digest: string; sizeBytes: number }>;
  list(ownerId: string, runId: string): Promise<ArtifactView[]>;
  read(ownerId: string, digest: string): Promise<Uint8Array | undefined>;
  /** The same in pieces. `chunks` can be read once, and throws before its end if the bytes are not those that were kept. */
  open(ownerId: string, digest: string): Promise<OpenBytes | undefined>;
}

export interface OpenBytes {
  readonly sizeBytes: number;
  readonly chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** Bytes of files that are attached to no run yet; 0 for no limit. */
export interface UploadQuota {
  readonly ownerBytes: number;
  readonly allBytes: number;
}

export interface Uploads {
  /** Its bytes may come until `expiresAt`, by the database's clock. Throws upload_quota if it does not fit beside what waits already. */
  announce(
    ownerId: string,
    upload: {
      readonly filename: string;
      readonly contentType: string;
      readonly sizeBytes: number;
      readonly goodForMs: number;
      readonly quota?: UploadQuota;
    },
  ): Promise<{ upload: UploadView; expiresAt: string }>;
  get(ownerId: string, uploadId: string): Promise<UploadView | undefined>;
  /** One whose bytes may still come. */
  awaited(ownerId: string, uploadId: string): Promise<UploadView | undefined>;
  /** Once: throws conflict if it has its bytes already, and not_found. `digest` is that of the bytes. */
  keep(
    ownerId: string,
    uploadId: string,
    file: { readonly digest: string; readonly bytes: Uint8Array },
  ): Promise<UploadView>;
  /** The run's log says so, in the same transaction. Throws not_found, or conflict if it lacks its bytes, is another run's, or the run is over. */
  attach(ownerId: string, uploadId: string, runId: string): Promise<UploadView>;
  /** Removes uploads of all owners that were announced so long ago and never attached, and bytes that nothing else names. Returns how many; call again until it is 0. */
  removeUnattached(olderThanMs: number): Promise<number>;
}

/** Which files may be handed over. */
export interface FileCheck {
  /** By what it is said to be; a sentence for a person if it is not taken. */
  announced(file: { readonly contentType: string }): string | undefined;
  /** By what its beginning shows, or all of it if `isWhole`. */
  content(file: {
    readonly contentType: string;
    readonly bytes: Uint8Array;
    readonly isWhole: boolean;
  }): string | undefined;
}

export interface ThreadMessage {
  readonly role: "user" | "assistant";
  readonly content: string;
  /** The owner's own, or an answer that was written with nothing else in view. */
  readonly trusted: boolean;
}

export interface Profile {
  readonly persona: string;
  readonly aboutUser: string;
}

export interface NewBronRow {
  readonly name: string;
  /** One that no other Bron of the owner has, if it is not given. */
  readonly avatarColor?: string;
  readonly systemPrompt: string;
  readonly trustLevel: TrustLevel;
}

/** Clean text; what is not given stays. */
export interface ChangedBronRow {
  readonly name?: string;
  readonly avatarColor?: string;
  readonly systemPrompt?: string;
  readonly memorySummary?: string;
}

/** The Brons of an owner. Whatever changes one stands in the audit, in the same transaction. */
export interface Brons {
  /** Latest activity first. The default Bron is made for an owner who has none. */
  list(ownerId: string): Promise<BronView[]>;
  get(ownerId: string, bronId: string): Promise<BronView | undefined>;
  /** Returns its id. */
  create(ownerId: string, bron: NewBronRow): Promise<string>;
  /** Throws not_found. */
  change(ownerId: string, bronId: string, changes: ChangedBronRow): Promise<void>;
}

export interface Threads {
  /** The newest messages before this run, oldest first. */
  tail(
    ownerId: string,
    threadId: string,
    beforeRunId: string,
    limit: number,
  ): Promise<ThreadMessage[]>;
  profile(ownerId: string, bronId: string): Promise<Profile | undefined>;
}

/** What an owner's runs came to. */
export interface Usage {
  /** So many days of the zone up to today, oldest first, none left out; and the median of those that are over. Throws invalid_input for a zone that it does not know. */
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
  /** Counts the wakes of a run; part of the segment's name. */
  readonly wake: number;
  readonly delayMs: number;
  /** A live holder is only told. */
  readonly held: boolean;
}

/** Told by the store of every run that became runnable. */
export interface Waker {
  /** Whether this process would begin at once with a run that is woken now; then nothing is enlisted. */
  takesHere(): boolean;
  /** For others, inside the writer's transaction; what it does there rolls back with it. `transaction` is the store's own client. */
  enlist(wake: Wake, transaction: unknown): Promise<void>;
  /** After the commit. `here` is what `takesHere` said before it. Must not throw. */
  committed(wake: Wake, here: boolean): void;
}

// Models

export interface ModelPrice {
  readonly inputMicrousdPerMillion: number;
  readonly outputMicrousdPerMillion: number;
}

export interface RunModel {
  readonly model: LanguageModelV4;
  /** As shown to people, e.g. `gemini/gemini-2.5-flash`. */
  readonly name: string;
  /** With thinking. */
  readonly maxOutputTokens: number;
  readonly price?: ModelPrice;
}

/** A piece of the answer in progress. Not part of the log. */
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

/** What an effect is judged by: what it reaches, what the run has read, what the owner has laid down. */
export type PolicyView = Omit<JudgeInput, "tool" | "seenBy">;

/** Pure; no model output can change it. */
export type Policy = (effect: ProposedEffect, view: PolicyView) => PolicyDecision;

/** What an owner lays down about effects, and can look at and take back. Every call names the owner; what belongs to someone else is not found. */
export interface Permissions {
  readonly rules: RulesSource;
  /** All of it, with the trust level of the default Bron. */
  view(ownerId: string): Promise<PermissionsView>;
  /** Grants that let something through. */
  countUses(ownerId: string, grantIds: readonly string[]): Promise<void>;
  /** Null stands for the owner's default Bron. */
  trustLevel(ownerId: string, bronId: string | null): Promise<TrustLevel>;
  setTrustLevel(ownerId: string, bronId: string | null, level: TrustLevel): Promise<void>;
  listRules(ownerId: string): Promise<RuleView[]>;
  /** One for each tool and Bron: a second one takes the place of the first. */
  putRule(ownerId: string, rule: Pick<RuleView, "bronId" | "tool" | "verdict">): Promise<RuleView>;
  removeRule(ownerId: string, id: string): Promise<void>;
  listAllowed(ownerId: string): Promise<AllowedView[]>;
  /** An address or a domain. Throws invalid_input for neither. */
  allow(ownerId: string, value: string): Promise<AllowedView>;
  disallow(ownerId: string, id: string): Promise<void>;
  listGrants(ownerId: string): Promise<GrantView[]>;
  grant(
    ownerId: string,
    grant: Pick<GrantView, "bronId" | "tool" | "recipient"> & { readonly days: number },
  ): Promise<GrantView>;
  revoke(ownerId: string, id: string): Promise<void>;
}

/** The owner's word on effects, as it stands now. */
export type RulesSource = (run: {
  readonly ownerId: string;
  readonly bronId: string;
}) => Promise<PolicyRules>;

export interface CodedError {
  readonly code: ErrorCode;
  readonly message: string;
}

// Accounts outside

/** What a provider gave for an owner. Kept encrypted; never shown, logged or handed to a model. */
export interface Grant {
  /** The account's name at the provider, e.g. its address. */
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
  /** Puts the renewed form in the place of `before`. False, and nothing is written, if that was removed or replaced meanwhile. */
  renew(ownerId: string, provider: string, before: Grant, renewed: Grant): Promise<boolean>;
  remove(ownerId: string, provider: string): Promise<void>;
}

/** Somebody whom the owner has written to by their own hand, with the names that they used. */
export interface Contact {
  readonly address: string;
  readonly names: readonly string[];
}

/** Who is known, once anybody has looked. `source` is the account's provider. Addresses are normalised. */
export interface Contacts {
  find(ownerId: string, source: string, addresses: readonly string[]): Promise<Contact[]>;
  remember(ownerId: string, source: string, people: readonly Contact[]): Promise<void>;
}

/** Keyed by the instance's secret; signatures for different purposes have nothing in common. */
export type Sign = (purpose: string, text: string) => string;
