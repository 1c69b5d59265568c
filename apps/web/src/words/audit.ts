import type { AuditActor, AuditFilter, AuditKind } from "@bron/protocol";

type Group = Exclude<AuditFilter, AuditKind>;

/** What an entry is about, in the three forms that its sentence may need. */
export interface AuditSubject {
  /** "sending an email to eva@example.com", or a name */
  readonly doing: string;
  /** "Sent an email to eva@example.com" */
  readonly done: string;
  /** "send an email to eva@example.com" */
  readonly todo: string;
}

type Sentence = (who: string, subject: AuditSubject) => string;

export const auditWords = {
  about: "A permanent record of every approval and change.",
  group: "Show",
  everything: "Everything",
  groups: {
    approval: "Approvals",
    effect: "Changes",
    connection: "Accounts",
    run: "Stopped tasks",
    owner: "Emergency stops",
    effect_setting: "Undo and pace",
    rule: "Rules",
    trust: "Trust levels",
    bron: "Brons",
    thread: "Conversations",
    allowed: "Trusted contacts",
    grant: "Temporary permissions",
    session: "Sessions",
    token: "API tokens",
    model_key: "Model keys",
  } satisfies Record<Group, string>,
  onlyRun: "Filtered to one task",
  ofTask: "Show this task only",
  showAll: "Show all tasks",
  export: "Export",
  exportHint: "Download the filtered log as JSON Lines",
  empty: "No activity yet",
  emptyHint: "Approvals, sent items and changes to your rules appear here.",
  emptyFilter: "No matching activity",
  task: "Task",
  end: "End of log",
  who: { owner: "You", bron: "Bron", system: "Bron" } satisfies Record<AuditActor, string>,
  simulated: (provider: string) => `${provider} (simulated)`,
  to: (recipients: string) => `to ${recipients}`,
  fields: {
    at: "Time",
    by: "Who",
    runId: "Task",
    actionId: "Step",
    effectId: "Change",
    approvalId: "Approval",
    tool: "Tool",
    digest: "Fingerprint",
  },
  sentences: {
    "approval.requested": (who, { todo }) => `${who} requested approval to ${todo}`,
    "approval.approved": (who, { doing }) => `${who} approved ${doing}`,
    "approval.denied": (who, { todo }) => `${who} denied the request to ${todo}`,
    "approval.undone": (who, { todo }) => `${who} undid the approval to ${todo}`,
    "approval.expired": (_, { todo }) => `Approval to ${todo} expired`,
    "approval.superseded": (who, { todo }) =>
      `${who} replaced the request to ${todo} after an edit`,
    "approval.canceled": (who, { todo }) => `${who} canceled the approval request to ${todo}`,
    "approval.used": (who, { todo }) => `${who} used your approval to ${todo}`,
    "effect.proposed": (_, { todo }) => `Prepared: ${todo}`,
    "effect.awaiting_confirmation": (_, { todo }) => `Waiting for approval: ${todo}`,
    "effect.approved": (_, { todo }) => `Allowed: ${todo}`,
    "effect.attempting": (_, { todo }) => `Started: ${todo}`,
    "effect.done": (_, { done }) => done,
    "effect.failed": (_, { todo }) => `Failed: ${todo}`,
    "effect.unknown": (_, { todo }) => `Unconfirmed: ${todo}`,
    "effect.rejected": (_, { todo }) => `Not done (denied): ${todo}`,
    "effect.expired": (_, { todo }) => `Not done (expired): ${todo}`,
    "effect.superseded": (_, { todo }) => `Not done (edited): ${todo}`,
    "effect.canceled": (_, { todo }) => `Not done (stopped): ${todo}`,
    "effect.settled": (who, { todo }) => `${who} marked this as done: ${todo}`,
    "effect.settled_not_done": (who, { todo }) => `${who} marked this as not done: ${todo}`,
    "effect.restored": (who, { todo }) => `${who} restored what was replaced by: ${todo}`,
    "effect.discarded": (who, { todo }) => `${who} deleted the draft of: ${todo}`,
    "connection.connected": (who, { doing }) => `${who} connected ${doing}`,
    "connection.disconnected": (who, { doing }) => `${who} disconnected ${doing}`,
    "run.stopped": (who) => `${who} stopped a task`,
    "owner.stopped": (who) => `${who} stopped everything`,
    "rule.added": (who, { doing }) => `${who} added a rule for ${doing}`,
    "rule.changed": (who, { doing }) => `${who} set the rule for ${doing}`,
    "rule.removed": (who, { doing }) => `${who} removed the rule for ${doing}`,
    "effect_setting.changed": (who, { doing }) => `${who} changed undo or pace for ${doing}`,
    "trust.changed": (who, { doing }) => `${who} set the trust level ${doing}`,
    "bron.created": (who, { doing }) => `${who} created Bron ${doing}`,
    "bron.changed": (who, { doing }) => `${who} edited Bron ${doing}`,
    "run.moved": (who) => `${who} moved a task to another place`,
    "thread.deleted": (who) => `${who} deleted a conversation`,
    "allowed.added": (who, { doing }) => `${who} added ${doing} to trusted contacts`,
    "allowed.removed": (who, { doing }) => `${who} removed ${doing} from trusted contacts`,
    "grant.given": (who, { doing }) => `${who} temporarily allowed ${doing}`,
    "grant.revoked": (who, { doing }) => `${who} revoked the temporary permission for ${doing}`,
    "session.ended": (who) => `${who} signed out a browser`,
    "token.created": (who, { doing }) => `${who} created token ${doing}`,
    "token.revoked": (who, { doing }) => `${who} revoked token ${doing}`,
    "model_key.set": (who, { doing }) => `${who} added a model key for ${doing}`,
    "model_key.removed": (who, { doing }) => `${who} removed the model key for ${doing}`,
  } satisfies Record<AuditKind | "approval.undone" | "effect.settled_not_done", Sentence>,
} as const;
