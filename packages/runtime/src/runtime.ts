import type { Client } from "@bron/client";
import type { CreatedRun, Delta, Load, OpenBytes, Rates } from "@bron/core";
import type { CreateRun, EventView, RunEvent, RunStatus } from "@bron/protocol";
import type { AgentRuns } from "./agent/agent-runs.ts";
import type { RuntimeBackupLine } from "./backup.ts";
import type { RunChanges } from "./change-hub.ts";
import type { ConnectionSignIn } from "./connection-sign-in.ts";
import type { ModelKeyService } from "./model-keys.ts";
import type { OauthClientSetup } from "./oauth-clients.ts";
import type { PartialTexts } from "./partial-text-hub.ts";
import type { RunLogs } from "./run-logs.ts";
import type { AccessServices } from "./services/access-services.ts";
import type { ServiceCaller } from "./services/service.ts";
import type { RuntimeServices } from "./services/services.ts";
import type { StartRunOptions } from "./services/start-run.ts";
import type { SessionService } from "./sessions.ts";
import type { StreamSlotService } from "./stream-slots.ts";
import type { TokenService } from "./tokens.ts";
import type { UploadReceiver } from "./upload-receiver.ts";

/**
 * A runtime on any store. What it can do is in its services. The other members are for what has no
 * endpoint, or whose endpoint only makes sense over HTTP.
 */
export interface Runtime extends UploadReceiver {
  /**
   * A client that acts for an owner in this process. A string is the ID of an owner, for whom this
   * program may do everything.
   */
  clientFor(caller: string | ServiceCaller): Client;
  /** What clients call, keyed by endpoint. Servers generate their routes from it. */
  readonly services: RuntimeServices;
  /**
   * Starts a run with what no endpoint takes: a parent run, or earlier messages of a conversation.
   * Throws invalid_input or too_large.
   */
  startRun(ownerId: string, input: CreateRun, options?: StartRunOptions): Promise<CreatedRun>;
  /** The agent API, whose routes wait for a run or stream it. */
  readonly agent: AgentRuns;
  readonly logs: RunLogs;
  /** What responses contain of an event, for doors that write events themselves. */
  viewOf(event: RunEvent): EventView;
  /** Changes of all runs of an owner, for lists. */
  readonly changes: RunChanges;
  /** The message that a run is streaming, in any process. */
  readonly partialTexts: PartialTexts;
  readonly connections: ConnectionSignIn;
  /** The owners' own model keys. */
  readonly modelKeys: ModelKeyService;
  /** The OAuth apps of the whole installation. Only the owner of a server may change them. */
  readonly oauthClients: OauthClientSetup;
  /** Opens the content of an artifact, in chunks, for slow readers. Throws not_found. */
  openArtifact(ownerId: string, digest: string): Promise<OpenBytes>;
  countRuns(ownerId: string): Promise<Partial<Record<RunStatus, number>>>;
  readonly workerName: string;
  /** A run with the place `{ process: processId }` is advanced by this process only. */
  readonly processId: string;
  /** Resolves when the store has responded. */
  ping(): Promise<void>;
  /** The current work of all owners and processes. */
  load(): Promise<Load>;
  /** Subscribes to text that runs of this process stream. Returns a function that unsubscribes. */
  onDelta(listener: (delta: Delta) => void): () => void;
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
  /**
   * Subscribes to sessions and tokens that this process ended, by their IDs, so that their streams
   * close at once. Returns a function that unsubscribes.
   */
  onAccessEnded(listener: (ids: readonly string[]) => void): () => void;
}

/** A runtime that a server can offer to a network. */
export interface RuntimeWithAccess extends Runtime, RuntimeAccess {
  readonly services: RuntimeServices & AccessServices;
}

export interface PostgresRuntime extends RuntimeWithAccess {
  /** A consistent snapshot of all data. `restoreBackup` restores it. */
  backup(): AsyncGenerator<RuntimeBackupLine>;
}
