import { omitUndefined, type EventPayloads, type NewEvent } from "@bron/protocol";
import type { NewAudit } from "../../ports/audit.ts";

/** A cancellation as the log and the audit log record it. */
export interface Cancellation {
  readonly ownerId: string;
  readonly reason?: string | undefined;
  /** Set if the owner did not ask for it: the parent run has ended. */
  readonly cause?: EventPayloads["cancel"]["cause"];
}

/** The event in the log of each run that is canceled. */
export function cancelEvent({ ownerId, reason, cause }: Cancellation): NewEvent {
  return { type: "cancel", payload: { by: ownerId, ...omitUndefined({ reason, cause }) } };
}

/** The audit entry for an owner who canceled all runs. Each run has an entry of its own, too. */
export function canceledAllEntry({ reason }: Cancellation, runs: number): NewAudit {
  return { what: "owner.stopped", by: "owner", details: { runs, ...omitUndefined({ reason }) } };
}
