import type { Conversation } from "../conversation.ts";
import type { SpokenAnswer } from "../script.ts";
import type { FunctionDeclaration } from "../wire.ts";
import { findOfferedTools } from "./offered-tools.ts";
import { phraseAnswer, phraseThought } from "./phrase.ts";
import { findEarlierValue, makePlan } from "./plan.ts";
import { understand } from "./understand.ts";

/** Understand, plan, phrase: what to say next, from the request alone. The same request always gets the same answer. */
export function planAnswer(conversation: Conversation, declarations: readonly FunctionDeclaration[], mayCall: boolean): SpokenAnswer {
  const tools = findOfferedTools(declarations);
  const earlierValue = findEarlierValue(conversation.earlierResults, tools);
  const steps = understand(conversation.task, earlierValue !== undefined);
  const plan = makePlan({ steps, results: conversation.results, tools, ...(earlierValue === undefined ? {} : { earlierValue }) });
  const thought = phraseThought(steps, plan);
  return mayCall && plan.calls.length > 0 ? { thought, calls: plan.calls } : { thought, text: phraseAnswer(plan, tools) };
}
