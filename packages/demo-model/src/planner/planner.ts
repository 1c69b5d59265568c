import { omitUndefined } from "@bron/protocol";
import type { Conversation } from "../conversation.ts";
import { respondToMail } from "../mail/respond-to-mail.ts";
import { findMailTools, mailTopics } from "../mail/offered-mail-tools.ts";
import { planChildRuns } from "../child-runs/plan-child-runs.ts";
import type { MessageResponse } from "../script.ts";
import type { FunctionDeclaration } from "../wire.ts";
import { respondToWorkspace } from "../workspace/respond-to-workspace.ts";
import { findWorkspaceTools, workspaceTopics } from "../workspace/workspace-tools.ts";
import { describeStep } from "./describe-step.ts";
import { findOfferedTools } from "./offered-tools.ts";
import { introduce, phraseMessage, phraseThought } from "./phrase.ts";
import { findEarlierValue, makePlan } from "./plan.ts";
import { understand } from "./understand.ts";

/**
 * Plans the next message from the request alone, so the same request always gets the same message.
 */
export function planResponse(
  conversation: Conversation,
  declarations: readonly FunctionDeclaration[],
  mayCall: boolean,
): MessageResponse {
  const childRuns = planChildRuns(conversation, declarations, mayCall);
  if (childRuns !== undefined) return childRuns;
  const tools = findOfferedTools(declarations);
  const mailTools = findMailTools(declarations);
  const workspaceTools = findWorkspaceTools(declarations);
  const topics = [...mailTopics(mailTools), ...workspaceTopics(workspaceTools)];
  const earlierValue = findEarlierValue(conversation.earlierResults, tools);
  const steps = understand(conversation.task, earlierValue !== undefined);
  if (steps.some(({ step }) => step.kind === "unclear")) {
    const others = steps.flatMap(({ step }) =>
      step.kind === "unclear" ? [] : [describeStep(step)],
    );
    const workspace = respondToWorkspace({ conversation, tools: workspaceTools, mayCall, others });
    if (workspace !== undefined) return workspace;
    const mail = respondToMail({
      conversation,
      tools: mailTools,
      mayCall,
      others,
      introduction: introduce(tools, topics),
    });
    if (mail !== undefined) return mail;
  }
  const plan = makePlan({
    steps,
    results: conversation.results,
    tools,
    ...omitUndefined({ earlierValue }),
  });
  const thought = phraseThought(steps, plan);
  return mayCall && plan.calls.length > 0
    ? { thought, calls: plan.calls }
    : { thought, text: phraseMessage(plan, tools, topics) };
}
