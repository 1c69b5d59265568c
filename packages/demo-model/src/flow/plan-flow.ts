import type { ToolResult } from "../conversation.ts";
import { readOutcome } from "../planner/tool-outcome.ts";
import type { MessageResponse } from "../script.ts";
import type { CallOutcome, CallWords, Flow, Report, WantedCall } from "./flow.ts";
import type { OfferedTools } from "./known-tool.ts";

interface FlowPlan<Role extends string> {
  readonly flow: Flow<Role>;
  /** Collects the lines that the flow reports. */
  readonly report: Report;
  readonly words: CallWords<Role>;
  readonly tools: OfferedTools<Role>;
  /** Roles whose calls change something outside Bron. */
  readonly changing: ReadonlySet<string>;
  readonly results: readonly ToolResult[];
  readonly mayCall: boolean;
}

/** Returns the next call of a flow, or its report when no call is left. */
export function planFlow<Role extends string>({
  report,
  words,
  mayCall,
  ...plan
}: FlowPlan<Role>): MessageResponse {
  const wanted = replay(plan);
  if (wanted === undefined) return { thought: words.finished, text: report.text() };
  const tool = plan.tools[wanted.role];
  const thought = words.next(words.doing[wanted.role], wanted.detail);
  if (mayCall && tool !== undefined)
    return { thought, calls: [{ name: tool.name, args: tool.fit(wanted.args) }] };
  return {
    thought,
    text: [report.text(), words.notReached(words.doing[wanted.role])]
      .filter((line) => line !== "")
      .join("\n"),
  };
}

/** Feeds the results to the flow in order. Returns the first call that has no result yet. */
function replay<Role extends string>({
  flow,
  results,
  tools,
  changing,
}: Pick<FlowPlan<Role>, "flow" | "results" | "tools" | "changing">): WantedCall<Role> | undefined {
  let taken = 0;
  let step = flow.next();
  while (step.done !== true) {
    const { role } = step.value;
    const tool = tools[role];
    let outcome: CallOutcome = { status: "missing" };
    if (tool !== undefined) {
      const at = results.findIndex(({ name }, position) => position >= taken && name === tool.name);
      const result = results[at];
      if (result === undefined) return step.value;
      taken = at + 1;
      outcome = readOutcome(changing.has(role) ? "post" : "list", result.response);
    }
    step = flow.next(outcome);
  }
  return undefined;
}
