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
import type { Say, WorkspaceFlow } from "./workspace-flow.ts";
import { changingRoles, type WorkspaceTools } from "./workspace-tools.ts";
import { workspaceWordsIn } from "./workspace-words.ts";

interface WorkspaceQuestion {
  readonly conversation: Conversation;
  readonly tools: WorkspaceTools;
  readonly mayCall: boolean;
  /** What else the task seems to ask for. */
  readonly others: readonly string[];
}

/** The next call of a task about calendar, chat or web, or its report; undefined when it is about none of them. */
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

function* runAll(tasks: readonly WorkspaceTask[], say: Say): WorkspaceFlow {
  for (const task of tasks) yield* run(task, say);
}

function run(task: WorkspaceTask, say: Say): WorkspaceFlow {
  switch (task.area) {
    case "web":
      return runWebTask(task, say);
    case "slack":
      return runSlackTask(task, say);
    case "invitation":
      return runInvitation(task, say);
    case "calendar":
      return runCalendarTask(task, say);
  }
}
