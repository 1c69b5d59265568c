import { summarizeAction, type ActionStage, type ActivityView } from "@bron/protocol";
import { auditDetails } from "./audit-details.ts";
import { shortId } from "./short-id.ts";
import { localTime } from "./time.ts";
import { oneLine } from "./visible.ts";

export const activityHead = ["WHEN", "WHAT", "STATE", "RUN", "DETAILS"] as const;

const stageWords: Readonly<Record<ActionStage, string>> = {
  prepared: "prepared",
  waiting: "needs approval",
  approved: "approved",
  started: "started",
  done: "done",
  failed: "failed",
  unknown: "unconfirmed",
  denied: "declined",
  undone: "undone",
  expired: "expired",
  stopped: "stopped",
  settled_done: "done, confirmed",
  settled_not_done: "not done, confirmed",
  restored: "restored",
};

/** The cells of an action, or of another entry of the audit log. */
export function activityCells(row: ActivityView): string[] {
  const newest = row.entries.at(-1);
  if (!newest) return [];
  const run = newest.runId === null ? "" : shortId(newest.runId);
  const action = summarizeAction(row);
  if (!action) return [localTime(row.at), newest.what, "", run, auditDetails(newest)];
  const { tool, stage, recipients, subject, isEdited, isAsked, reason } = action;
  const details = [
    ...(recipients.length === 0 ? [] : [`to ${recipients.join(", ")}`]),
    ...(subject === undefined ? [] : [`“${subject}”`]),
    ...(stage === "done" && !isAsked ? ["without asking"] : []),
    ...(isEdited ? ["edited"] : []),
    ...(reason === undefined ? [] : [`reason: ${reason}`]),
  ];
  return [localTime(row.at), tool, stageWords[stage], run, oneLine(details.join(" · "), 200)];
}
