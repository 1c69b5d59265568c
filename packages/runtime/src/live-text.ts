import { isParked, isTerminal, type NewEvent, type PartialText } from "@bron/protocol";
import type { Delta } from "@bron/core";

/** Readers see the end of longer thoughts. */
const maxThoughts = 20_000;
const maxProgress = 16;

/** The state after a delta. A new attempt of a step starts again. */
export function withDelta(before: PartialText | undefined, delta: Delta): PartialText {
  if (delta.kind === "progress") {
    const { step, actionId, message } = delta;
    const others = (before?.progress ?? []).filter((entry) => entry.actionId !== actionId);
    const progress = [...others, { actionId, message }].slice(-maxProgress);
    return { step, attempt: before?.attempt ?? 1, text: "", progress };
  }
  const { step, attempt, kind } = delta;
  const isSame = before?.step === step && before.attempt === attempt;
  const { text = "", thoughts } = isSame ? before : {};
  const position = { step, attempt };
  if (kind === "text")
    return { ...position, text: text + delta.delta, ...(thoughts ? { thoughts } : {}) };
  const all = (thoughts?.text ?? "") + delta.delta;
  const dropped = Math.max(0, all.length - maxThoughts);
  return {
    ...position,
    text,
    thoughts: { from: (thoughts?.from ?? 0) + dropped, text: all.slice(dropped) },
  };
}

/**
 * What is left after an append. The message of a step is in the log then, and so are the results of
 * tools. Undefined if nothing is left.
 */
export function afterAppend(
  { step, attempt, progress = [] }: PartialText,
  events: readonly NewEvent[],
): PartialText | undefined {
  const ended = new Set<string>();
  for (const { type, payload } of events) {
    if (type === "status" && (isTerminal(payload.status) || isParked(payload.status)))
      return undefined;
    if (type === "tool" && payload.phase === "end") ended.add(payload.actionId);
  }
  const left = progress.filter(({ actionId }) => !ended.has(actionId));
  return left.length === 0 ? undefined : { step, attempt, text: "", progress: left };
}
