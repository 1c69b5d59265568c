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
  /** Other steps that the task seems to ask for. */
  readonly others: readonly string[];
  /** Explains the demo model's limits when it cannot do the task. */
  readonly introduction: string;
}

/** Returns undefined when the task is not about mail. */
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
      text: `${words.cannotDo(resolved.condition)} ${words.condition}\n${introduction}`,
    };
  if (Object.keys(tools).every((role) => role === "document" || role === "fields")) {
    return {
      thought: words.finished,
      text: `${words.cannotDo(conversation.task)} ${words.noTool(words.doing.search, "gmail_search")}\n${introduction}`,
    };
  }
  const response = planMail({ ...resolved, tools, mayCall, results: conversation.results });
  // Text that looks like another task may belong to the email that the user dictated.
  if (others.length === 0 || response.text === undefined || resolved.task.bodyText !== undefined)
    return response;
  return { ...response, text: `${response.text}\n${words.onlyMail(others.join("; "))}` };
}
