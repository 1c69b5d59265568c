import {
  omitUndefined,
  type ApprovalPayload,
  type EffectPayload,
  type EventPayloads,
  type JsonObject,
  type JsonValue,
  type NewEvent,
} from "@bron/protocol";
import type { NewAudit } from "../ports/audit.ts";

/**
 * The audit entries for a batch of events: every event about an effect or an approval, each
 * approval that the batch uses up, a cancellation and a move. The store fills in the details of a used
 * approval.
 */
export function auditEntries(
  events: readonly NewEvent[],
  consume: readonly string[] = [],
): NewAudit[] {
  const used = consume.map((approvalId): NewAudit => ({
    what: "approval.used",
    by: "bron",
    approvalId,
  }));
  const recorded = events.flatMap((event): NewAudit[] => {
    if (event.type === "effect")
      return isReconcileEvent(event.payload) ? [] : [ofEffect(event.payload)];
    if (event.type === "approval") return [ofApproval(event.payload)];
    if (event.type === "place") return ofPlace(event.payload);
    return event.type === "cancel"
      ? [
          {
            what: "run.stopped",
            by: "owner",
            details: omitUndefined({ reason: event.payload.reason, cause: event.payload.cause }),
          },
        ]
      : [];
  });
  return [...used, ...recorded];
}

/** The place that a run was created with does not count as a change. */
function ofPlace({ place, by }: EventPayloads["place"]): NewAudit[] {
  return by === undefined ? [] : [{ what: "run.moved", by: "owner", details: { place } }];
}

/** The audit log already has this attempt. */
function isReconcileEvent({ look, evidence }: EffectPayload): boolean {
  return look !== undefined || evidence !== undefined;
}

function ofEffect({
  effectId,
  actionId,
  tool,
  digest,
  state,
  attempt,
  error,
  prepared,
  undone,
}: EffectPayload): NewAudit {
  // An error message may quote someone else. The log has it.
  const details = {
    ...omitUndefined({ attempt, undone }),
    ...(error ? { error: error.code } : {}),
    ...(prepared === undefined ? {} : auditedFieldsOf(prepared)),
  };
  const by = undone ? "owner" : "bron";
  return { what: `effect.${state}`, by, actionId, effectId, tool, digest, details };
}

function ofApproval({
  approvalId,
  effectId,
  actionId,
  tool,
  digest,
  state,
  by,
  reason,
  expiresAt,
  edit,
  reply,
  undone,
  reopened,
}: ApprovalPayload): NewAudit {
  const actor = state === "expired" ? "system" : by === undefined ? "bron" : "owner";
  // Only with a decision is the reason the owner's own text. A run's reason may quote other people.
  const details = {
    ...omitUndefined({
      expiresAt: state === "pending" ? expiresAt : undefined,
      reason: actor === "owner" ? reason : undefined,
      edited: edit === undefined ? undefined : Object.keys(edit),
      reply,
      undone,
    }),
  };
  return {
    what:
      state !== "pending"
        ? `approval.${state}`
        : reopened
          ? "approval.reopened"
          : "approval.requested",
    by: actor,
    actionId,
    effectId,
    approvalId,
    tool,
    digest,
    details,
  };
}

/**
 * The fields that say where an effect goes and what it is called. Everything else in a prepared
 * form is left out, whatever a tool puts there.
 */
const auditedFields = ["account", "to", "cc", "bcc", "guests", "channel", "subject"];
const maxListed = 50;
const maxCharacters = 500;

function auditedFieldsOf(prepared: JsonValue): JsonObject {
  if (typeof prepared !== "object" || prepared === null || Array.isArray(prepared)) return {};
  const entries = auditedFields.flatMap((name): [string, JsonValue][] => {
    const value = prepared[name];
    if (typeof value === "string") return value === "" ? [] : [[name, shorten(value)]];
    const listed = Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
    return listed.length === 0 ? [] : [[name, listed.slice(0, maxListed).map(shorten)]];
  });
  return Object.fromEntries(entries);
}

function shorten(text: string): string {
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters - 1).toWellFormed()}…` : text;
}
