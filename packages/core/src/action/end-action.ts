import {
  actionStateOfEffect,
  keptOutputKind,
  omitUndefined,
  type ActionError,
  type ActionFailureReason,
  type EffectState,
  type JsonObject,
  type JsonValue,
  type KeptOutput,
  type Label,
  type NotDone,
  type ToolEnd,
  type WrittenThings,
} from "@bron/protocol";
import type { Draft } from "../run/decide/draft.ts";
import { isUnlabeled } from "../run/state/fold-action.ts";
import type { OpenAction, OpenEffect } from "../run/state/run-state.ts";

interface ActionEnd {
  readonly state: ToolEnd["outcome"];
  readonly output?: JsonValue;
  readonly error?: ActionError;
  readonly notDone?: NotDone | undefined;
  /** Label of the tool's own output. Without it, the text is Bron's own. */
  readonly label?: Label;
  readonly reused?: ToolEnd["reused"];
  readonly unproposed?: true;
  readonly rewriteKey?: string;
  /** Set if the output is a preview of one that was stored. */
  readonly kept?: KeptOutput | undefined;
}

const ownWords: Label = { origin: "system", trusted: true, private: false, readers: [] };

/** Emits the single result of an action, after the artifact that its output is a preview of. */
export function endAction(draft: Draft, action: OpenAction, end: ActionEnd): void {
  if (end.kept) {
    const { digest, name, mediaType, sizeBytes } = end.kept;
    draft.emit({
      type: "artifact",
      payload: {
        artifactId: draft.ids.uuid(),
        kind: keptOutputKind,
        name,
        mediaType,
        digest,
        sizeBytes,
      },
    });
  }
  const label = end.label ?? ownWords;
  const last = draft.state().open.get(action.id);
  // The question of a call that has ended.
  if (last) closeQuestion(draft, last);
  draft.emit({
    type: "tool",
    payload: {
      phase: "end",
      actionId: action.id,
      name: action.tool,
      outcome: end.state,
      ...omitUndefined({
        output: end.output,
        error: end.error,
        notDone: end.notDone,
        reused: end.reused,
        unproposed: end.unproposed,
        rewriteKey: end.rewriteKey,
        kept: end.kept,
        label: isUnlabeled(label) ? undefined : label,
      }),
    },
  });
}

type FinalEffectState = Extract<
  EffectState,
  "done" | "failed" | "unknown" | "rejected" | "expired" | "superseded" | "canceled"
>;

/** Emits the final state of an effect in the ledger, and with it the action's result. */
export function endEffect(
  draft: Draft,
  action: OpenAction,
  state: FinalEffectState,
  {
    wrote,
    ...end
  }: Pick<ActionEnd, "output" | "error" | "notDone" | "label" | "kept"> & {
    readonly wrote?: WrittenThings;
  },
): void {
  const { effect } = action;
  if (effect) {
    draft.emit({
      type: "effect",
      payload: {
        effectId: effect.id,
        actionId: action.id,
        tool: action.tool,
        state,
        digest: effect.digest,
        ...omitUndefined({ outcome: end.output, wrote, error: end.error }),
      },
    });
  }
  endAction(draft, action, {
    state: actionStateOfEffect[state] as ToolEnd["outcome"],
    ...end,
    ...omitUndefined({ output: effect ? withChanges(end.output, effect) : end.output }),
  });
}

/** The model proposed another form than the one that was carried out, so its result says so. */
function withChanges(
  output: JsonValue | undefined,
  { changes }: OpenEffect,
): JsonValue | undefined {
  if (output === undefined || Object.keys(changes).length === 0) return output;
  const isObject = typeof output === "object" && output !== null && !Array.isArray(output);
  return { ...(isObject ? output : { result: output }), changedByUser: changes };
}

/** Ends an effect whose outcome cannot be found out. A card asks the owner to check. */
export function endUnknown(
  draft: Draft,
  action: OpenAction,
  effect: OpenEffect,
  { check, why }: { readonly check?: string; readonly why?: ActionFailureReason } = {},
): void {
  draft.emit({
    type: "ui",
    payload: {
      kind: "UnknownEffectCard",
      payload: {
        effectId: effect.id,
        actionId: action.id,
        tool: action.tool,
        preview: effect.preview,
        ...omitUndefined({ check, why }),
      } as JsonObject,
    },
  });
  endEffect(draft, action, "unknown", {
    error: {
      code: "effect_unknown",
      message: `Bron couldn't confirm whether it went through. ${check ?? `Check whether ${action.tool} went through.`}`,
    },
    notDone: { cause: "unknown", ...omitUndefined({ message: check, why }) },
  });
}

/** Cancels the question of an action, if it waits for an answer. */
export function closeQuestion(draft: Draft, { id, question }: OpenAction): void {
  if (question?.state === "pending")
    draft.emit({
      type: "question",
      payload: { questionId: question.id, actionId: id, state: "canceled" },
    });
}

/** Cancels the approval of an action, if it is pending or not used yet. */
export function closeApproval(draft: Draft, { id, tool, effect }: OpenAction): void {
  const approval = effect?.approval;
  if (approval?.state !== "pending" && approval?.state !== "approved") return;
  draft.emit({
    type: "approval",
    payload: {
      approvalId: approval.id,
      actionId: id,
      effectId: effect?.id ?? "",
      tool,
      digest: effect?.digest ?? "",
      state: "canceled",
    },
  });
}

/** Ends an action that was interrupted and must not be repeated. It may have happened. */
export function endInterrupted(draft: Draft, action: OpenAction): void {
  endAction(draft, action, {
    state: "unknown",
    error: { code: "effect_unknown", message: "It was interrupted while running." },
    notDone: { cause: "interrupted" },
  });
}
