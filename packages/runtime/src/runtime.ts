import type { Load, Permissions, Questions, Rates, TextDelta, Workers } from "@bron/core";
import type { ToolView, UsageView } from "@bron/protocol";
import type { ApprovalService } from "./approvals.ts";
import type { ArtifactService } from "./artifacts.ts";
import type { AuditService } from "./audit.ts";
import type { RuntimeBackupLine } from "./backup.ts";
import type { BronService } from "./brons.ts";
import type { RunChanges } from "./change-hub.ts";
import type { ClientActionService } from "./client-actions.ts";
import type { ConnectionService } from "./connections.ts";
import type { EffectService } from "./effects.ts";
import type { ModelKeyService } from "./model-keys.ts";
import type { PartialTexts } from "./partial-text-hub.ts";
import type { RunService } from "./runs.ts";
import type { SessionService } from "./sessions.ts";
import type { StreamSlotService } from "./stream-slots.ts";
import type { ThreadService } from "./threads.ts";
import type { TokenService } from "./tokens.ts";
import type { UploadService } from "./uploads.ts";
import type { UsagePeriod } from "./usage.ts";

/** A runtime on any store. */
export interface Runtime {
  /** The owner's Brons and what each is doing. */
  readonly brons: BronService;
  readonly runs: RunService;
  /** Conversations: the runs in them, their titles, and their deletion. */
  readonly threads: ThreadService;
  /** Changes of all runs of an owner, for lists. */
  readonly changes: RunChanges;
  readonly approvals: ApprovalService;
  /** What runs ask the owner. */
  readonly questions: Questions;
  /** Actions that other programs carry out. */
  readonly clientActions: ClientActionService;
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
  /** The owner's own model keys. */
  readonly modelKeys: ModelKeyService;
  /** The message that a run is streaming, in any process. */
  readonly partialTexts: PartialTexts;
  readonly workerName: string;
  /** A run with the place `{ process: processId }` is advanced by this process only. */
  readonly processId: string;
  /** Which workers run, and the places that they serve. */
  readonly workers: Pick<Workers, "places">;
  /** The tools that runs can use, sorted by name. */
  tools(): ToolView[];
  /** Usage of the owner's runs per day. */
  usage(ownerId: string, period: UsagePeriod): Promise<UsageView>;
  /** Resolves when the store has responded. */
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
  /**
   * Releases its runs, so that other processes can continue at once, and stops everything it
   * started. Idempotent.
   */
  close(): Promise<void>;
}

/** Who may call a runtime over a network, and how often. */
export interface RuntimeAccess {
  /** Signed-in browsers. */
  readonly sessions: SessionService;
  /** The owner's API tokens. */
  readonly tokens: TokenService;
  /** Rate limits. */
  readonly rates: Rates;
  /** Limits the number of open streams per owner. */
  readonly streamSlots: StreamSlotService;
}

/** A runtime that a server can offer to a network. */
export interface RuntimeWithAccess extends Runtime, RuntimeAccess {}

export interface PostgresRuntime extends RuntimeWithAccess {
  /** A consistent snapshot of all data. `restoreBackup` restores it. */
  backup(): AsyncGenerator<RuntimeBackupLine>;
}
