import type {
  AttachedContext,
  Caps,
  FailureReason,
  NewEvent,
  Place,
  RunEvent,
  ServedPlace,
  TrustLevel,
} from "@bron/protocol";
import type { Rule } from "../../policy/permissions/rules.ts";
import type { Wake } from "../waker.ts";

/** The right to write to a run's log. It is valid while the run's row has this epoch. */
export interface Lease {
  readonly runId: string;
  readonly ownerId: string;
  readonly worker: string;
  readonly epoch: number;
  /**
   * The runs above this one that have a cap on money or steps. What this run uses counts against
   * each of them.
   */
  readonly cappedAncestors: readonly string[];
}

/** What the loop needs to know about a run besides its log. */
export interface RunHeader {
  readonly id: string;
  readonly ownerId: string;
  readonly bronId: string;
  /** The names of the tools that the Bron may use, as of the claim. Null: all tools. */
  readonly bronTools: readonly string[] | null;
  /** The name of the model that the Bron uses, as of the claim. Null: the default model. */
  readonly bronModel: string | null;
  /** Whether the Bron remembers, as of the claim. */
  readonly memoryOn: boolean;
  readonly threadId: string;
  readonly attachedContext: readonly AttachedContext[];
  readonly caps: Caps;
  /** Where the run must be advanced. Null: anywhere. */
  readonly place: Place | null;
  /** The schedule or watch that started the run. */
  readonly scheduleId: string | null;
  /** The run is judged by at most this trust level. Null: by that of its Bron. */
  readonly maxTrustLevel: TrustLevel | null;
  /** Set when the owner has a money cap. Runs draw from it in blocks. */
  readonly ownerCapMicrousd: number | null;
  /** Whether the owner has caps by day or month. Each call draws from them. */
  readonly hasOwnerBudget: boolean;
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
  /**
   * The places of this worker. It may also claim a canceled run whose place no worker serves, to end
   * it.
   */
  readonly serves: readonly ServedPlace[];
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
      readonly reason: "taken" | "not_runnable" | "too_early" | "limit" | "too_new" | "elsewhere";
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
  /**
   * Present if the append starts a model call that caps of several runs limit. The append is
   * rejected with `budget` if one of the caps does not allow it.
   */
  readonly draw?: Draw;
  /** The append starts a tool that only reads, so the result names the rules that deny. */
  readonly needsDenyingRules?: true;
}

/**
 * What a model call takes from the caps that its run shares with others: the owner's cap, the caps
 * of the runs above, and its own caps, which the runs below use too.
 */
export interface Draw {
  /**
   * Money beyond what the run has drawn before. It is taken from the owner's cap and from the caps
   * of the runs above. The store may take up to `blockMicrousd`, so that the next calls need not
   * draw.
   */
  readonly needMicrousd: number;
  readonly blockMicrousd: number;
  /**
   * Set if the owner has caps by day or month: what the run is charged for calls that have ended.
   */
  readonly settledMicrousd?: number;
  /** Whether the run has child runs, or capped runs above it. */
  readonly isInTree: boolean;
  /** The number of steps of the run with this one. Absent unless the call is a new, limited step. */
  readonly steps?: number;
}

/** Which cap does not allow a model call. */
export type BudgetRefusal = Extract<
  FailureReason,
  { code: "owner_budget" | "period_budget" | "task_budget" | "step_limit" }
>;

export type AppendResult =
  | {
      readonly ok: true;
      readonly lastSeq: number;
      readonly createdAt: string;
      readonly drawnMicrousd: number;
      readonly ownerCapMicrousd: number | null;
      /** Absent: as before. */
      readonly hasOwnerBudget?: boolean;
      /**
       * The rules of the run's Bron that deny, if the request needs them. They include every change
       * that was committed, by any process, before the store got the request.
       */
      readonly denyingRules?: readonly Rule[];
    }
  /**
   * `lost`: the epoch is gone, so stop. `moved`: read the new events and decide again. The others
   * name what was rejected.
   */
  | { readonly ok: false; readonly reason: "lost" | "moved" | "approval" }
  | { readonly ok: false; readonly reason: "budget"; readonly why: BudgetRefusal };

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
  /**
   * Marks runnable runs without a live lease as taken and increments their wake count. Takes the
   * oldest first, one per owner in turn, and no more than the limits allow. It skips runs that were
   * marked a moment ago, so that workers do not compete for the same run.
   */
  takeRunnable(request: TakeRequest): Promise<Wake[]>;
}

/** A worker's request for runnable runs that no worker holds. */
export interface TakeRequest {
  readonly worker: string;
  /**
   * Runs that this worker is advancing. Any other run under its lease is one that it dropped, and
   * it takes it up again.
   */
  readonly active: readonly string[];
  /** See ClaimRequest. */
  readonly serves: readonly ServedPlace[];
  /** Limits the request to these runs. Undefined means all runs. */
  readonly only: readonly string[] | undefined;
  readonly limit: number;
  /** See ClaimRequest. */
  readonly leaseMs: number;
  readonly takeOverUntil: number;
  readonly maxPerOwner: number;
  readonly maxInAll: number;
}
