import type { FieldDiff, JsonObject, JsonValue } from "@bron/protocol";
import { canonicalJson } from "../policy/canonical-json.ts";
import { addressesIn, hostsLeaving, textsIn } from "../policy/names.ts";
import type { ProposedEffect } from "../ports.ts";
import type { PolicyDecision } from "../policy/policy-decision.ts";
import { prepareForm, proposeEffect, type Limits, type PrepareResult } from "./run-tool.ts";
import type { Tool, ToolContext } from "./tool.ts";

/** What was shown, and what its owner changed of it. */
export interface EffectEdit {
  readonly prepared: JsonValue;
  readonly formVersion: number | undefined;
  readonly preview: string;
  /** What they typed in edits before this one. */
  readonly typed: string;
  readonly changes: JsonObject;
}

interface EditLimits extends Limits {
  /** `typed`: all that the owner typed into it. */
  readonly judge: (effect: ProposedEffect, typed: string) => Promise<PolicyDecision>;
}

/**
 * A new effect from an old one and the owner's changes. It is always asked about again, with what changed. If the changes cannot
 * be made, what was shown before is asked about again, with the reason: nothing of it is lost.
 */
export async function editEffect(
  tool: Tool,
  { prepared, preview, typed: before, changes }: EffectEdit,
  context: ToolContext,
  { judge, ...limits }: EditLimits,
): Promise<PrepareResult> {
  const { editing } = tool;
  const made = editing
    ? await prepareForm((inner) => editing.edit(prepared, changes, inner), context, limits)
    : cannotBeEdited;
  if (made.state === "needs_auth") return made;
  const form = made.state === "form" ? made : { state: "form" as const, prepared, preview };
  const values = {
    before: editing?.valuesOf(prepared) ?? {},
    after: editing?.valuesOf(form.prepared) ?? {},
  };
  const typed = [before, typedWords(values.before, values.after)].filter(Boolean).join("\n");
  const proposed = await proposeEffect(tool, form, context, async (effect) =>
    askedAgain(
      await judge(effect, typed),
      made.state === "failed" ? made.error.message : undefined,
    ),
  );
  return proposed.state === "prepared"
    ? { ...proposed, typed, difference: diffFields(values.before, values.after) }
    : proposed;
}

const cannotBeEdited = {
  state: "failed",
  error: { code: "invalid_arguments", message: "This tool's effects cannot be edited." },
} as const;

function askedAgain(decision: PolicyDecision, failure: string | undefined): PolicyDecision {
  if (decision.verdict === "deny") return decision;
  const why =
    failure === undefined
      ? "You edited it: this is what would be done now."
      : `Your edit could not be made, so that this is what you saw before: ${failure}`;
  return {
    ...decision,
    verdict: "ask",
    reasons: decision.verdict === "allow" ? [why] : [why, ...decision.reasons],
  };
}

/** Only what was not there before: whatever an edit leaves standing was not chosen by it. */
export function typedWords(before: JsonObject, after: JsonObject): string {
  const words = (value: JsonValue) =>
    textsIn(value)
      .flatMap((text) => text.split(/\s+/))
      .filter(Boolean);
  const known = new Set(words(Object.values(before)));
  const old = textsIn(Object.values(before)).join("\n");
  const values = new Set([...addressesIn(old), ...hostsLeaving(old)]);
  return words(Object.values(after))
    .filter(
      (word) =>
        !known.has(word) &&
        ![...addressesIn(word), ...hostsLeaving(word)].some((value) => values.has(value)),
    )
    .join(" ");
}

export function diffFields(before: JsonObject, after: JsonObject): FieldDiff[] {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields.flatMap((field) => {
    const [old, now] = [before[field] ?? null, after[field] ?? null];
    return canonicalJson(old) === canonicalJson(now)
      ? []
      : [{ field, before: inWords(old), after: inWords(now) }];
  });
}

function inWords(value: JsonValue): string {
  if (value === null) return "";
  if (typeof value === "string") return value;
  return Array.isArray(value) && value.every((one) => typeof one === "string")
    ? value.join(", ")
    : canonicalJson(value);
}
