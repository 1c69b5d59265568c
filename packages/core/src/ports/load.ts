import type { RunStatus } from "@bron/protocol";

/** The current work of all owners and processes. */
export interface Load {
  /** Unfinished runs. */
  readonly runs: Readonly<Partial<Record<RunStatus, number>>>;
  readonly approvalsPending: number;
  /** How long the oldest runnable run has waited for a worker. 0 if none waits. */
  readonly oldestWaitingSeconds: number;
}

export interface LoadSource {
  load(): Promise<Load>;
  /** Resolves when the store has responded. */
  ping(): Promise<void>;
}
