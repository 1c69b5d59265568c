import {
  omitUndefined,
  type ActionError,
  type FieldDiff,
  type FormReads,
  type JsonObject,
  type JsonValue,
  type PolicyReason,
} from "@bron/protocol";
import { canonicalJson } from "../policy/canonical-json.ts";
import { contentValues } from "../policy/text/content-values.ts";
import { textsIn } from "../policy/text/names.ts";
import type { ProposedEffect } from "../policy/policy.ts";
import type { PolicyDecision } from "../policy/policy-decision.ts";
import { actionError } from "./action-error.ts";
import { prepareForm, proposeEffect, type Limits, type PrepareResult } from "./run-tool.ts";
import type { Tool, ToolContext } from "./tool.ts";

/** The version that was shown, and the owner's changes to it. */
export interface EffectEdit {
  readonly prepared: JsonValue;
  readonly formVersion: number | undefined;
  readonly preview: string;
  /** What the owner typed in earlier edits. */
  readonly typed: string;
  readonly reads: FormReads | undefined;
  readonly changes: JsonObject;
  /** What earlier edits changed. */
  readonly earlierChanges: JsonObject;
  /** A program made the changes, so they are not what the owner typed. */
  readonly isByProgram: boolean;
}

interface EditLimits extends Limits {
  /** `typed`: everything that the owner typed into this effect. */
  readonly judge: (
    effect: ProposedEffect,
    reads: FormReads | undefined,
    typed: string,
  ) => Promise<PolicyDecision>;
}

/**
 * Creates a new effect from an existing one and the owner's changes. The owner is always asked
 * again and sees what changed. If the changes cannot be applied, the owner is asked about the
 * original again, with the reason, so nothing is lost.
 */
export async function editEffect(
  tool: Tool,
  { prepared, preview, typed: before, reads, changes, isByProgram }: EffectEdit,
  context: ToolContext,
  { judge, ...limits }: EditLimits,
): Promise<PrepareResult> {
  const { editing } = tool;
  const edited = editing
    ? await prepareForm((inner) => editing.edit(prepared, changes, inner), context, limits)
    : cannotBeEdited;
  if (edited.state === "needs_auth") return edited;
  // The edited version contains the sources of the first one too.
  const form = {
    ...(edited.state === "form" ? edited : { prepared, preview }),
    ...omitUndefined({ reads }),
  };
  const values = {
    before: editing?.valuesOf(prepared) ?? {},
    after: editing?.valuesOf(form.prepared) ?? {},
  };
  const typedNow = isByProgram ? "" : typedWords(values.before, values.after);
  const typed = [before, typedNow].filter(Boolean).join("\n");
  const proposed = await proposeEffect(tool, form, context, async (effect, formReads) =>
    askAgain(
      await judge(effect, formReads, typed),
      edited.state === "failed" ? edited.error : undefined,
    ),
  );
  return proposed.state === "prepared"
    ? { ...proposed, typed, diff: diffFields(values.before, values.after) }
    : proposed;
}

const cannotBeEdited = {
  state: "failed",
  error: actionError("invalid_arguments", { code: "cannot_be_edited" }),
} as const;

function askAgain(decision: PolicyDecision, failure: ActionError | undefined): PolicyDecision {
  if (decision.verdict === "deny") return decision;
  const why: PolicyReason =
    failure === undefined
      ? { code: "edited" }
      : {
          code: "edit_failed",
          ...(failure.why ? { why: failure.why } : { message: failure.message }),
        };
  return {
    ...decision,
    verdict: "ask",
    reasons: decision.verdict === "allow" ? [why] : [why, ...decision.reasons],
  };
}

/** More signs than an account can have between its groups. See `traceableValues`. */
const apart = " , , , , , ";

/**
 * Returns only words that are new. The edit did not choose what it left unchanged, nor a link or an
 * account that only looks different now.
 */
export function typedWords(before: JsonObject, after: JsonObject): string {
  const words = (value: JsonValue) =>
    textsIn(value)
      .flatMap((text) => text.split(/\s+/))
      .filter(Boolean);
  const oldWords = new Set(words(Object.values(before)));
  const oldValues = new Set(valuesIn(textsIn(Object.values(before)).join("\n")));
  const hasOldValue = (text: string) => valuesIn(text).some((value) => oldValues.has(value));
  const typed = words(Object.values(after)).filter(
    (word) => !oldWords.has(word) && !hasOldValue(word),
  );
  const together = typed.join(" ");
  return hasOldValue(together) ? typed.join(apart) : together;
}

function valuesIn(text: string): readonly string[] {
  const { hosts, values } = contentValues(text);
  return [...hosts, ...values];
}

export function diffFields(before: JsonObject, after: JsonObject): FieldDiff[] {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields.flatMap((field) => {
    const [old, now] = [before[field] ?? null, after[field] ?? null];
    return canonicalJson(old) === canonicalJson(now)
      ? []
      : [{ field, before: toText(old), after: toText(now) }];
  });
}

function toText(value: JsonValue): string {
  if (value === null) return "";
  if (typeof value === "string") return value;
  return Array.isArray(value) && value.every((item) => typeof item === "string")
    ? value.join(", ")
    : canonicalJson(value);
}
