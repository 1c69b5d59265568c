import { runCalendarTask } from "../calendar/calendar-flow.ts";
import { runInvitation } from "../calendar/invitation-flow.ts";
import type { Conversation } from "../conversation.ts";
import { createReport } from "../flow/flow.ts";
import { planFlow } from "../flow/plan-flow.ts";
import type { MessageResponse } from "../script.ts";
import { runSlackTask } from "../slack/slack-flow.ts";
import { runWebTask } from "../web/web-flow.ts";
import { todayIn } from "../when/learn-today.ts";
import { understandWorkspace, type WorkspaceTask } from "./understand-workspace.ts";
import type { FlowContext, WorkspaceFlow } from "./workspace-flow.ts";
import { changingRoles, type WorkspaceTools } from "./workspace-tools.ts";
import { workspaceWordsIn } from "./workspace-words.ts";

interface WorkspaceQuestion {
  readonly conversation: Conversation;
  readonly tools: WorkspaceTools;
  readonly mayCall: boolean;
  /** Other steps that the task seems to ask for. */
  readonly others: readonly string[];
}

/**
 * Returns the next call of a task about calendar, chat or web, or its report. Undefined for other
 * tasks.
 */
export function respondToWorkspace({
  conversation,
  tools,
  mayCall,
  others,
}: WorkspaceQuestion): MessageResponse | undefined {
  const understood = understandWorkspace(conversation.task);
  if (understood === undefined) return undefined;
  const { language, tasks } = understood;
  const report = createReport();
  const words = workspaceWordsIn(language);
  const flow = runAll(tasks, { report, words, language, today: todayIn(conversation.system) });
  const answer = planFlow({
    flow,
    report,
    words,
    tools,
    changing: changingRoles,
    results: conversation.results,
    mayCall,
  });
  return others.length === 0 || answer.text === undefined
    ? answer
    : { ...answer, text: `${answer.text}\n${words.onlyThis(others.join("; "))}` };
}

function* runAll(tasks: readonly WorkspaceTask[], context: FlowContext): WorkspaceFlow {
  for (const task of tasks) yield* run(task, context);
}

function run(task: WorkspaceTask, context: FlowContext): WorkspaceFlow {
  switch (task.area) {
    case "web":
      return runWebTask(task, context);
    case "slack":
      return runSlackTask(task, context);
    case "invitation":
      return runInvitation(task, context);
    case "calendar":
      return runCalendarTask(task, context);
  }
}
