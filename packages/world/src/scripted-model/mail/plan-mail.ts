import type { Conversation, ToolResult } from "../conversation.ts";
import { readOutcome } from "../planner/tool-outcome.ts";
import type { SpokenAnswer } from "../script.ts";
import { createReport, type CallOutcome, type MailFlow, type WantedCall } from "./mail-flow.ts";
import type { MailTask } from "./mail-task.ts";
import { wordsIn } from "./mail-words.ts";
import type { OfferedMailTools } from "./offered-mail-tools.ts";
import { runMailTask, type FlowParts } from "./task-flow.ts";

interface MailPlan {
  readonly task: MailTask;
  readonly tools: OfferedMailTools;
  readonly results: Conversation["results"];
  readonly earlierDraft?: FlowParts["earlierDraft"];
  readonly mayCall: boolean;
}

/** The next call of a mail task, or its report when nothing is left to call. */
export function planMail({ task, tools, results, earlierDraft, mayCall }: MailPlan): SpokenAnswer {
  const report = createReport();
  const words = wordsIn(task.language);
  const flow = runMailTask(task, { report, words, ...(earlierDraft === undefined ? {} : { earlierDraft }) });
  const wanted = replay(flow, results, tools);
  if (wanted === undefined) return { thought: words.finished, text: report.text() };
  const tool = tools[wanted.role];
  const thought = words.next(words.doing[wanted.role], wanted.detail);
  return mayCall && tool !== undefined ? { thought, calls: [{ name: tool.name, args: tool.fit(wanted.args) }] } : { thought, text: [report.text(), words.notReached(words.doing[wanted.role])].filter((line) => line !== "").join("\n") };
}

const changing = new Set(["draft", "sendDraft", "send", "reply"]);

/** Gives a flow the results that are there, each in its turn; returns the call that has none yet. */
function replay(flow: MailFlow, results: readonly ToolResult[], tools: OfferedMailTools): WantedCall | undefined {
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
