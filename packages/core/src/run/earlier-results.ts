import type { JsonValue, NewEvent, ToolEnd } from "@bron/protocol";
import { canonicalJson } from "../policy/canonical-json.ts";
import type { Tool } from "../tool/tool.ts";

/** What came of a call in the run that this one tries again. */
export interface EarlierResult {
  /** The run and the action that really did it. */
  readonly from: { readonly runId: string; readonly actionId: string };
  readonly end: ToolEnd;
}

export interface EarlierResults {
  /** What the same call gave; undefined if it has to be made. */
  of(tool: Tool, input: JsonValue): EarlierResult | undefined;
  /** A sentence for a person, if an effect of this tool was done, or perhaps done. */
  repeats(tool: Tool): string | undefined;
}

export const nothingEarlier: EarlierResults = { of: () => undefined, repeats: () => undefined };

export interface EarlierLog {
  readonly runId: string;
  readonly events: Iterable<NewEvent>;
}

/**
 * Completed calls give what they gave. An effect that was done, or of which nobody knows, is never made again by the same call;
 * what failed, was declined or was stopped is not here.
 *
 * `logs`: of the run, and of those that it tried again, oldest first. `notDone`: actions whose doubt the owner has settled.
 */
export function earlierResults(
  logs: readonly EarlierLog[],
  notDone: ReadonlySet<string>,
): EarlierResults {
  const inputs = new Map<string, JsonValue>();
  const byCall = new Map<string, EarlierResult>();
  const byTool = new Map<string, EarlierResult[]>();
  const entries = logs.flatMap(({ runId, events }) =>
    Array.from(events, (event) => ({ runId, event })),
  );
  for (const { runId, event } of entries) {
    if (event.type === "step" && event.payload.phase === "end")
      for (const { actionId, input } of event.payload.calls) inputs.set(actionId, input);
    if (event.type !== "tool" || event.payload.phase !== "end") continue;
    const { actionId, name, outcome, reused } = event.payload;
    const from = reused ?? { runId, actionId };
    if (outcome !== "completed" && (outcome !== "unknown" || notDone.has(from.actionId))) continue;
    const result: EarlierResult = { from, end: event.payload };
    byCall.set(keyOf(name, inputs.get(actionId) ?? null), result);
    byTool.set(name, [...(byTool.get(name) ?? []), result]);
  }
  return {
    of(tool, input) {
      const found = byCall.get(keyOf(tool.name, input));
      return found && (tool.sideEffect || (found.end.outcome === "completed" && !tool.isMomentary))
        ? found
        : undefined;
    },
    repeats(tool) {
      const known = tool.sideEffect ? (byTool.get(tool.name) ?? []) : [];
      if (known.length === 0) return undefined;
      const isSure = known.some(({ end }) => end.outcome === "completed");
      return `The run that this one tries again has ${isSure ? "already" : "perhaps already"} done something like this: it would be another one.`;
    },
  };
}

function keyOf(tool: string, input: JsonValue): string {
  return `${tool} ${canonicalJson(input)}`;
}

const done = "Done by the run that this one tries again; it was not done a second time.";

/** As the model gets it: what was an effect says that it was not done again. */
export function reusedOutput(
  { sideEffect }: Tool,
  output: JsonValue | undefined,
): JsonValue | undefined {
  if (!sideEffect || output === undefined) return output;
  if (typeof output === "string") return `${output}\n(${done})`;
  return typeof output === "object" && output !== null && !Array.isArray(output)
    ? { ...output, note: done }
    : output;
}
