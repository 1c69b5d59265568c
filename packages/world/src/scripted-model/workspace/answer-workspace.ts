import { runCalendarTask } from "../calendar/calendar-flow.ts";
import { runInvitation } from "../calendar/invitation-flow.ts";
import type { Conversation } from "../conversation.ts";
import { createReport } from "../flow/flow.ts";
import { planFlow } from "../flow/plan-flow.ts";
import type { SpokenAnswer } from "../script.ts";
import { runSlackTask } from "../slack/slack-flow.ts";
import { runWebTask } from "../web/web-flow.ts";
import { todayIn } from "../when/learn-today.ts";
import { understandWorkspace, type UnderstoodWorkspace } from "./understand-workspace.ts";
import type { Say, WorkspaceFlow } from "./workspace-flow.ts";
import { changingRoles, type WorkspaceTools } from "./workspace-tools.ts";
import { workspaceWordsIn } from "./workspace-words.ts";

interface WorkspaceQuestion {
  readonly conversation: Conversation;
  readonly tools: WorkspaceTools;
  readonly mayCall: boolean;
}

/** The next call of a task about calendar, chat or web, or its report; undefined when it is about none of them. */
export function answerWorkspace({ conversation, tools, mayCall }: WorkspaceQuestion): SpokenAnswer | undefined {
  const understood = understandWorkspace(conversation.task);
  if (understood === undefined) return undefined;
  const { language, task } = understood;
  const report = createReport();
  const words = workspaceWordsIn(language);
  const flow = run(task, { report, words, language, today: todayIn(conversation.system) });
  return planFlow({ flow, report, words, tools, changing: changingRoles, results: conversation.results, mayCall });
}

function run(task: UnderstoodWorkspace["task"], say: Say): WorkspaceFlow {
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
