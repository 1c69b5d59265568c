import type { JsonValue, NewEvent, RiskReason, ToolEnd } from "@bron/protocol";
import { isMail } from "../intent/effect-kinds.ts";
import { withServer } from "../policy/effect-facts.ts";
import { judgeRead } from "../policy/judge.ts";
import { ruleFor, type StoredRules } from "../policy/permissions/rules.ts";
import type { Tool } from "../tool/tool.ts";
import { callKey } from "./call-key.ts";

/** Result of a call in the run that this one retries. */
export interface EarlierResult {
  /** The run and action that produced the result. */
  readonly from: { readonly runId: string; readonly actionId: string };
  readonly end: ToolEnd;
}

export interface EarlierResults {
  /** False if this run retries none. */
  readonly hasAny: boolean;
  /**
   * Result of the same call. Undefined if the call must be made, or judged again because a rule
   * denies it now. Without rules, nothing that was read is reused.
   */
  of(tool: Tool, input: JsonValue, rules: StoredRules | undefined): EarlierResult | undefined;
  /**
   * A sentence for the owner if an effect of this tool was done or may have been done, or an email of
   * another one: the same words ask for both.
   */
  repeats(tool: Tool, tools: ReadonlyMap<string, Tool>): RiskReason | undefined;
}

export const nothingEarlier: EarlierResults = {
  hasAny: false,
  of: () => undefined,
  repeats: () => undefined,
};

export interface EarlierLog {
  readonly runId: string;
  readonly events: Iterable<NewEvent>;
}

/**
 * Indexes the results that a retry reuses. Completed calls return their earlier result. An effect
 * that was done, or whose outcome is unknown, is never repeated by the same call. Failed, denied
 * and canceled calls are left out.
 *
 * `logs` holds the logs of the retried run and of the runs that it retried, oldest first. `notDone`
 * holds actions that the owner has settled as not done.
 */
export function earlierResults(
  logs: readonly EarlierLog[],
  notDone: ReadonlySet<string>,
): EarlierResults {
  const inputs = new Map<string, JsonValue>();
  const forms = new Map<string, JsonValue>();
  const byCall = new Map<string, EarlierResult>();
  const byTool = new Map<string, EarlierResult[]>();
  const entries = logs.flatMap(({ runId, events }) =>
    Array.from(events, (event) => ({ runId, event })),
  );
  for (const { runId, event } of entries) {
    if (event.type === "step" && event.payload.phase === "end")
      for (const { actionId, input } of event.payload.calls) inputs.set(actionId, input);
    if (event.type === "effect" && event.payload.prepared !== undefined)
      forms.set(event.payload.actionId, event.payload.prepared);
    if (event.type !== "tool" || event.payload.phase !== "end") continue;
    const { actionId, name, outcome, reused } = event.payload;
    const from = reused ?? { runId, actionId };
    if (outcome !== "completed" && (outcome !== "unknown" || notDone.has(from.actionId))) continue;
    const result: EarlierResult = { from, end: event.payload };
    byCall.set(callKey(name, inputs.get(actionId) ?? null), result);
    byTool.set(name, [...(byTool.get(name) ?? []), result]);
  }
  return {
    hasAny: byCall.size > 0,
    of(tool, input, rules) {
      const found = byCall.get(callKey(tool.name, input));
      if (!found) return undefined;
      if (tool.sideEffect)
        return isDeniedEffect(tool, forms.get(found.from.actionId), rules) ? undefined : found;
      const isReusable = found.end.outcome === "completed" && tool.reuseOnRetry;
      return isReusable && !isDeniedRead(tool, input, rules) ? found : undefined;
    },
    repeats(tool, tools) {
      const isSame = (name: string) => name === tool.name || areBothMails(tool, tools.get(name));
      const earlier = tool.sideEffect
        ? [...byTool].flatMap(([name, results]) => (isSame(name) ? results : []))
        : [];
      if (earlier.length === 0) return undefined;
      const isSure = earlier.some(({ end }) => end.outcome === "completed");
      return { code: "done_before", isSure };
    },
  };
}

function areBothMails(one: Tool, other: Tool | undefined): boolean {
  return [one, other].every((tool) => tool?.effectKind !== undefined && isMail(tool.effectKind));
}

function isDeniedRead(tool: Tool, input: JsonValue, rules: StoredRules | undefined): boolean {
  if (!rules) return true;
  const parsed = tool.parseInput(input);
  const targets = parsed.ok ? tool.targetsOf?.(parsed.value) : [];
  return judgeRead(tool.name, rules, targets).verdict === "deny";
}

/**
 * A request to a page or a server may only have read something. If a rule denies it now, the policy
 * judges it again, and its result is not reused. Other effects that were done stay done.
 */
function isDeniedEffect(
  tool: Tool,
  form: JsonValue | undefined,
  rules: StoredRules | undefined,
): boolean {
  if (!rules || form === undefined) return false;
  try {
    const { kind, targets } = withServer(tool.factsOf(form), tool.server);
    const mayRead = kind === "fetch" || kind === "server";
    return mayRead && ruleFor(rules, { tool: tool.name, targets })?.verdict === "deny";
  } catch {
    // The form is from an older version of the tool.
    return false;
  }
}

const done = "Done by the earlier attempt at this task. It was not done again.";

/** Returns the output for the model. A reused effect gets a note that it was not done again. */
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
