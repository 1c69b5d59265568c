import { defineRecipe } from "../recipe/recipe.ts";
import type { SlotReader } from "../recipe/slot.ts";
import { directQuestion } from "./direct-question.ts";
import { textOf } from "./json.ts";
import { everything, trimmedWords } from "./own-words.ts";

interface Asked {
  readonly question: string;
  readonly choices?: readonly string[];
  readonly schema?: { readonly type: "integer"; readonly minimum: number };
}

interface AskValues {
  asked?: Asked;
  answer?: string;
}

const asked: SlotReader<Asked> = (text) => {
  const [, words = "", list] =
    /^ask me (?:about )?(.+?)(?::\s*(.+))?$/is.exec(trimmedWords(text)) ?? [];
  if (words === "") return undefined;
  text.take(everything);
  const question = directQuestion(words);
  const choices = list?.split(/\s*,\s*(?:or\s+)?|\s+or\s+/i).filter((choice) => choice !== "");
  if (choices && choices.length > 1) return { question, choices };
  if (/^how many\b/i.test(words)) return { question, schema: { type: "integer", minimum: 0 } };
  return { question };
};

export const askOwnerRecipe = defineRecipe<AskValues>({
  topic: "questions",
  task: "ask you something",
  examples: [
    "Ask me where we should have lunch.",
    "Ask me which day suits me: Monday, Tuesday or Friday",
    "please ask me what to bring",
    "Ask me how many chairs we need.",
  ],
  phrases: ["^ask_me"],
  slots: { asked },
  needs: ["asked"],
  steps: [
    {
      call: "ask_user",
      with: ({ asked: wanted }) => ({ ...wanted }),
      doing: "ask you",
      as: "answer",
      read: (result) => textOf(result, "answer"),
    },
    {
      say: ({ answer }) =>
        answer ? `You said: ${answer}` : "I didn't get an answer, so I left it open.",
      outcome: ({ answer }) => (answer ? "done" : "could_not"),
    },
  ],
  result: ({ answer }) => answer,
});
