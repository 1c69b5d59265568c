import type { Conversation } from "../conversation.ts";
import type { MessageResponse } from "../script.ts";
import { detectLanguage } from "./language.ts";
import { wordsIn } from "./mail-words.ts";
import type { OfferedMailTools } from "./offered-mail-tools.ts";
import { planMail } from "./plan-mail.ts";
import { resolveMailTask } from "./resolve-mail-task.ts";

interface MailQuestion {
  readonly conversation: Conversation;
  readonly tools: OfferedMailTools;
  readonly mayCall: boolean;
  /** What else the task seems to ask for. */
  readonly others: readonly string[];
  /** What this model is and can do, for tasks that it cannot. */
  readonly introduction: string;
}

/** Undefined when the task is not about mail. */
export function respondToMail({
  conversation,
  tools,
  mayCall,
  others,
  introduction,
}: MailQuestion): MessageResponse | undefined {
  const resolved = resolveMailTask(conversation);
  if (resolved === undefined) return undefined;
  const words = wordsIn(detectLanguage(conversation.task));
  if ("condition" in resolved)
    return {
      thought: words.finished,
      text: `I do not know how to do this: "${resolved.condition}"; ${words.condition}.\n${introduction}`,
    };
  if (Object.keys(tools).every((role) => role === "document" || role === "fields")) {
    return {
      thought: words.finished,
      text: `I do not know how to do this here: "${conversation.task}". ${words.noTool(words.doing.search, "gmail_search")}\n${introduction}`,
    };
  }
  const answer = planMail({ ...resolved, tools, mayCall, results: conversation.results });
  // What looks like another task may be the words of the mail.
  if (others.length === 0 || answer.text === undefined || resolved.task.bodyText !== undefined)
    return answer;
  return { ...answer, text: `${answer.text}\n${words.onlyMail(others.join("; "))}` };
}
