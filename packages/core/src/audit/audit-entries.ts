import {
  omitUndefined,
  type ApprovalPayload,
  type EffectPayload,
  type JsonObject,
  type JsonValue,
  type NewEvent,
} from "@bron/protocol";
import type { NewAudit } from "../ports.ts";

/**
 * What the audit keeps of a batch of events: every word on an effect and on an approval, each approval that the batch uses up, and a stop.
 * The store fills in what belongs to a used approval.
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
  const told = events.flatMap((event): NewAudit[] => {
    if (event.type === "effect")
      return isReconcileEvent(event.payload) ? [] : [ofEffect(event.payload)];
    if (event.type === "approval") return [ofApproval(event.payload)];
    return event.type === "cancel"
      ? [
          {
            what: "run.stopped",
            by: "owner",
            details: event.payload.reason === undefined ? {} : { reason: event.payload.reason },
          },
        ]
      : [];
  });
  return [...used, ...told];
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
}: EffectPayload): NewAudit {
  // The words of an error may be someone else's; the log has them.
  const details = {
    ...omitUndefined({ attempt }),
    ...(error ? { error: error.code } : {}),
    ...(prepared === undefined ? {} : addressed(prepared)),
  };
  return { what: `effect.${state}`, by: "bron", actionId, effectId, tool, digest, details };
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
  answer,
  undone,
}: ApprovalPayload): NewAudit {
  const actor = state === "expired" ? "system" : by === undefined ? "bron" : "owner";
  // A reason is the owner's own word only with a decision; what a run gives as one may quote others.
  const details = {
    ...(state === "requested" && expiresAt !== undefined ? { expiresAt } : {}),
    ...(actor === "owner" && reason !== undefined ? { reason } : {}),
    ...omitUndefined({
      edited: edit === undefined ? undefined : Object.keys(edit),
      answer,
      undone,
    }),
  };
  return {
    what: `approval.${state}`,
    by: actor,
    actionId,
    effectId,
    approvalId,
    tool,
    digest,
    details,
  };
}

/** To whom something goes and what it is called. All else of a prepared form stays out, whatever a tool puts there. */
const kept = ["account", "to", "cc", "bcc", "guests", "channel", "subject"];
const maxListed = 50;
const maxCharacters = 500;

function addressed(prepared: JsonValue): JsonObject {
  if (typeof prepared !== "object" || prepared === null || Array.isArray(prepared)) return {};
  const found = kept.flatMap((name): [string, JsonValue][] => {
    const value = prepared[name];
    if (typeof value === "string") return value === "" ? [] : [[name, shorten(value)]];
    const listed = Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
    return listed.length === 0 ? [] : [[name, listed.slice(0, maxListed).map(shorten)]];
  });
  return Object.fromEntries(found);
}

function shorten(text: string): string {
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters - 1).toWellFormed()}…` : text;
}
