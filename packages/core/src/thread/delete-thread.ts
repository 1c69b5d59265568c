import { BronError, requestError } from "../errors.ts";
import type { NewAudit } from "../ports/audit.ts";

/** The audit entry of a deleted thread. It has no title, because that is part of what is deleted. */
export function threadDeletedEntry(details: {
  readonly threadId: string;
  readonly bronId: string;
  readonly runs: number;
}): NewAudit {
  return { what: "thread.deleted", by: "owner", details };
}

/** Why a thread cannot be deleted yet. */
export function threadUnderWay(runIds: readonly string[]): BronError {
  return requestError(
    "conflict",
    { code: "thread_under_way" },
    { details: { runIds: runIds.slice(0, 10) } },
  );
}

export function threadNotFound(threadId: string): BronError {
  return new BronError("not_found", `Thread ${threadId} not found.`);
}
