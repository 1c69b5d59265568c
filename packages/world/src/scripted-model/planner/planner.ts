import { omitUndefined } from "@bron/protocol";
import type { Conversation } from "../conversation.ts";
import { answerMail } from "../mail/answer-mail.ts";
import { mailAbilities } from "../mail/mail-abilities.ts";
import { findMailTools } from "../mail/offered-mail-tools.ts";
import { answerParts } from "../child-runs/plan-child-runs.ts";
import type { SpokenAnswer } from "../script.ts";
import type { FunctionDeclaration } from "../wire.ts";
import { answerWorkspace } from "../workspace/answer-workspace.ts";
import { findWorkspaceTools, workspaceAbilities } from "../workspace/workspace-tools.ts";
import { describeStep } from "./describe-step.ts";
import { findOfferedTools } from "./offered-tools.ts";
import { introduce, phraseAnswer, phraseThought } from "./phrase.ts";
import { findEarlierValue, makePlan } from "./plan.ts";
import { understand } from "./understand.ts";

/** Understand, plan, phrase: what to say next, from the request alone. The same request always gets the same answer. */
export function planAnswer(
  conversation: Conversation,
  declarations: readonly FunctionDeclaration[],
  mayCall: boolean,
): SpokenAnswer {
  const parts = answerParts(conversation, declarations, mayCall);
  if (parts !== undefined) return parts;
  const tools = findOfferedTools(declarations);
  const mailTools = findMailTools(declarations);
  const workspaceTools = findWorkspaceTools(declarations);
  const abilities = [...mailAbilities(mailTools), ...workspaceAbilities(workspaceTools)];
  const earlierValue = findEarlierValue(conversation.earlierResults, tools);
  const steps = understand(conversation.task, earlierValue !== undefined);
  if (steps.some(({ step }) => step.kind === "unclear")) {
    const others = steps.flatMap(({ step }) =>
      step.kind === "unclear" ? [] : [describeStep(step)],
    );
    const workspace = answerWorkspace({ conversation, tools: workspaceTools, mayCall, others });
    if (workspace !== undefined) return workspace;
    const mail = answerMail({
      conversation,
      tools: mailTools,
      mayCall,
      others,
      introduction: introduce(tools, abilities),
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
    : { thought, text: phraseAnswer(plan, tools, abilities) };
}
