import { maxSchedulesPerOwner, omitUndefined } from "@bron/protocol";
import { BronError } from "../errors.ts";
import type { NewAudit } from "../ports/audit.ts";

export function scheduleNotFound(id: string): BronError {
  return new BronError("not_found", `Schedule ${id} not found.`);
}

export function scheduleEnded(): BronError {
  return new BronError("conflict", "This schedule has ended. Create a new one.");
}

export function tooManySchedules(): BronError {
  return new BronError(
    "conflict",
    `You have ${maxSchedulesPerOwner} schedules and watches, which is the limit. Remove one first.`,
  );
}

type Change = "created" | "changed" | "paused" | "resumed" | "started" | "removed";

/** What the audit log says about a change of a schedule. */
export function scheduleEntry(
  change: Change,
  { id, title }: { readonly id: string; readonly title: string },
  { by = "owner", reason }: { readonly by?: NewAudit["by"]; readonly reason?: string } = {},
): NewAudit {
  return {
    what: `schedule.${change}`,
    by,
    details: { scheduleId: id, title, ...omitUndefined({ reason }) },
  };
}
