import { z } from "zod";
import {
  auditViewSchema,
  groupOfAudit,
  type AuditGroup,
  type AuditKind,
  type AuditView,
} from "./audit.ts";

/** What a row of the activity log is about, in the groups in which people look for it. */
export const activityKinds = [
  "actions",
  "email",
  "calendar",
  "slack",
  "accounts",
  "permissions",
  "brons",
  "tasks",
  "sign_ins",
] as const;
export type ActivityKind = (typeof activityKinds)[number];

const kindOfGroup: Readonly<Record<AuditGroup, ActivityKind>> = {
  approval: "actions",
  effect: "actions",
  connection: "accounts",
  model_key: "accounts",
  oauth_client: "accounts",
  mcp_server: "accounts",
  rule: "permissions",
  trust: "permissions",
  effect_setting: "permissions",
  allowed: "permissions",
  grant: "permissions",
  bron: "brons",
  memory: "brons",
  skill: "brons",
  run: "tasks",
  owner: "tasks",
  thread: "tasks",
  session: "sign_ins",
  token: "sign_ins",
  schedule: "tasks",
  budget: "permissions",
};

/** Actions of one service, by the beginning of their tool's name. */
const toolPrefixes: Readonly<Partial<Record<ActivityKind, string>>> = {
  email: "gmail_",
  calendar: "calendar_",
  slack: "slack_",
};

/** Which entries of the audit log are of a kind: those of these groups, and of these tools. */
export function entriesOfKind(kind: ActivityKind): {
  readonly groups: readonly string[];
  readonly toolPrefix: string;
} {
  const toolPrefix = toolPrefixes[kind] ?? "";
  const wanted = toolPrefix === "" ? kind : "actions";
  const groups = Object.entries(kindOfGroup).flatMap(([group, its]) =>
    its === wanted ? [group] : [],
  );
  return { groups, toolPrefix };
}

/**
 * A row of the activity log: an action with all that happened to it, or any other entry of the audit
 * log alone.
 */
export const activityViewSchema = z.object({
  /** The id of its newest entry. A row moves to the top with each new entry. */
  id: z.number().int(),
  /** When its newest entry was written. */
  at: z.iso.datetime(),
  /** The task it belongs to. Null without one, and after its conversation was deleted. */
  task: z.object({ title: z.string(), bronName: z.string() }).nullable(),
  /** Oldest first. */
  entries: z.array(auditViewSchema).min(1),
});
export type ActivityView = Readonly<z.infer<typeof activityViewSchema>>;

/** How far an action is, or how it ended. */
export type ActionStage =
  | "prepared"
  | "waiting"
  | "approved"
  | "started"
  | "done"
  | "failed"
  | "unknown"
  | "denied"
  | "undone"
  | "expired"
  | "stopped"
  | "settled_done"
  | "settled_not_done"
  | "restored";

const stageOf: Readonly<Partial<Record<AuditKind, ActionStage>>> = {
  "effect.proposed": "prepared",
  "effect.superseded": "prepared",
  "approval.superseded": "prepared",
  "effect.awaiting_confirmation": "waiting",
  "approval.requested": "waiting",
  "approval.reopened": "waiting",
  "effect.approved": "approved",
  "approval.approved": "approved",
  "approval.used": "approved",
  "effect.attempting": "started",
  "effect.done": "done",
  "effect.failed": "failed",
  "effect.unknown": "unknown",
  "approval.denied": "denied",
  "effect.rejected": "denied",
  "approval.expired": "expired",
  "effect.expired": "expired",
  "approval.canceled": "stopped",
  "effect.canceled": "stopped",
  "effect.restored": "restored",
};

/** An action as one row tells it. */
export interface ActionSummary {
  readonly tool: string;
  readonly stage: ActionStage;
  /** Of the newest prepared form. */
  readonly recipients: readonly string[];
  readonly subject: string | undefined;
  readonly isEdited: boolean;
  /** Whether an approval was requested. */
  readonly isAsked: boolean;
  /** The owner's own words on the newest decision. */
  readonly reason: string | undefined;
}

/** Undefined for a row that is not about an action. */
export function summarizeAction({
  entries,
}: Pick<ActivityView, "entries">): ActionSummary | undefined {
  const newest = entries.at(-1);
  if (!newest || newest.actionId === null || newest.tool === null) return undefined;
  const prepared = entries.findLast(
    ({ effectId, details }) =>
      effectId === newest.effectId && ("subject" in details || recipientsIn(details).length > 0),
  );
  const decided = entries.findLast(({ details }) => "reason" in details || "reply" in details);
  return {
    tool: newest.tool,
    stage: entries.reduce<ActionStage>(nextStage, "prepared"),
    recipients: recipientsIn(prepared?.details ?? {}),
    subject: textIn(prepared?.details ?? {}, "subject"),
    isEdited: entries.some(({ what }) => what === "approval.superseded"),
    isAsked: entries.some(({ what }) => what === "approval.requested"),
    reason: textIn(decided?.details ?? {}, "reason") ?? textIn(decided?.details ?? {}, "reply"),
  };
}

/** An entry of a kind that another version wrote changes nothing. */
function nextStage(before: ActionStage, { what, details }: AuditView): ActionStage {
  if (what === "effect.settled")
    return details["as"] === "happened" ? "settled_done" : "settled_not_done";
  const isUndo = what === "approval.denied" || what === "effect.rejected";
  if (isUndo && details["undone"] === true) return "undone";
  // The entry of the effect follows that of its approval, and says less.
  if (what === "effect.rejected" && before === "undone") return before;
  return stageOf[what] ?? before;
}

/** The people and channels that the details of an entry name. */
export function recipientsIn(details: AuditView["details"]): string[] {
  return ["to", "cc", "bcc", "guests", "channel"].flatMap((name) => {
    const value = details[name];
    return (Array.isArray(value) ? value : [value]).filter((entry) => typeof entry === "string");
  });
}

function textIn(details: AuditView["details"], name: string): string | undefined {
  const value = details[name];
  return typeof value === "string" ? value : undefined;
}

/** Entries of one action have the same key. */
export function activityKey({
  id,
  runId,
  actionId,
}: Pick<AuditView, "id" | "runId" | "actionId">): string {
  return runId === null || actionId === null ? String(id) : `${runId} ${actionId}`;
}

/** Whether an entry is of a kind. All entries of an action are of the same kinds. */
export function isOfKind({ what, tool }: Pick<AuditView, "what" | "tool">, kind: ActivityKind) {
  const { groups, toolPrefix } = entriesOfKind(kind);
  return groups.includes(groupOfAudit(what)) && (tool ?? "").startsWith(toolPrefix);
}
