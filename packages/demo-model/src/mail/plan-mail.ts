import { omitUndefined } from "@bron/protocol";
import type { Conversation } from "../conversation.ts";
import { createReport } from "../flow/flow.ts";
import { planFlow } from "../flow/plan-flow.ts";
import type { MessageResponse } from "../script.ts";
import type { MailTask } from "./mail-task.ts";
import { wordsIn } from "./mail-words.ts";
import { changingMailRoles, type OfferedMailTools } from "./offered-mail-tools.ts";
import { runMailTask, type MailFlowDeps } from "./task-flow.ts";

interface MailPlan {
  readonly task: MailTask;
  readonly tools: OfferedMailTools;
  readonly results: Conversation["results"];
  readonly earlierDraft?: MailFlowDeps["earlierDraft"];
  readonly mayCall: boolean;
}

/** Returns the next call of a mail task, or its report when no call is left. */
export function planMail({
  task,
  tools,
  results,
  earlierDraft,
  mayCall,
}: MailPlan): MessageResponse {
  const report = createReport();
  const words = wordsIn(task.language);
  const flow = runMailTask(task, { report, words, ...omitUndefined({ earlierDraft }) });
  return planFlow({ flow, report, words, tools, changing: changingMailRoles, results, mayCall });
}
