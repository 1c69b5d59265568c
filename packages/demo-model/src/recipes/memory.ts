import { defineRecipe } from "../recipe/recipe.ts";
import type { SlotReader } from "../recipe/slot.ts";
import { isObject } from "../wire.ts";
import { everything, ownWords, trimmedWords } from "./own-words.ts";

/** What follows the request to remember it, as the user wrote it. */
const statement: SlotReader<string> = (text) => {
  const found =
    /^(?:remember|memorize|keep in mind|don't forget)(?: that|:)\s+(?<value>.+)$/is.exec(
      ownWords(text),
    )?.groups?.["value"];
  if (found !== undefined) text.take(everything);
  return found?.trim();
};

interface RememberValues {
  statement?: string;
  saved?: { readonly saved: boolean; readonly state?: string; readonly why?: string };
}

export const rememberRecipe = defineRecipe<RememberValues>({
  topic: "memory",
  task: "remember something about you",
  examples: [
    "Remember that I prefer short emails.",
    "please remember that Priya signs our invoices",
    "Keep in mind that I don't work on Fridays.",
  ],
  phrases: ["remember_that|keep_in_mind|memorize"],
  unless: ["note|notes|^what|^do_you"],
  isEntireMessage: true,
  slots: { statement },
  needs: ["statement"],
  steps: [
    {
      call: "save_memory",
      with: ({ statement: text }) => ({ text }),
      doing: "remember that",
      as: "saved",
      read: (result) => (isObject(result) ? result : { saved: false }),
    },
    {
      if: ({ saved }) => saved?.saved !== true,
      say: ({ saved }) => `I didn't save that. ${saved?.why ?? ""}`.trim(),
      stop: true,
      outcome: "could_not",
    },
    {
      say: ({ statement: text, saved }) =>
        saved?.state === "confirmed"
          ? `I'll remember: ${text}`
          : `I noted it as a suggestion: ${text} Confirm it on the page Memory.`,
    },
  ],
});

/** What is asked about. Everything, if it is the user. */
const topic: SlotReader<string> = (text) => {
  const found =
    /^(?:what do you (?:know|remember) about|what did i (?:say|tell you) about|do you remember|search your memory for|what's in your memory about)\s+(?<value>.+)$/is.exec(
      trimmedWords(text),
    )?.groups?.["value"];
  if (found !== undefined) text.take(everything);
  return found?.trim();
};

interface RecallValues {
  topic?: string;
  statements?: readonly { readonly text: string; readonly state: string }[];
}

export const recallRecipe = defineRecipe<RecallValues>({
  topic: "memory",
  task: "say what it remembers",
  examples: [
    "What do you know about my emails?",
    "What do you remember about Priya?",
    "what did I tell you about Fridays",
  ],
  phrases: [
    "what_do_you_know_about|what_do_you_remember_about|what_did_i_say_about|what_did_i_tell_you_about|do_you_remember|your_memory",
  ],
  isEntireMessage: true,
  slots: { topic },
  needs: ["topic"],
  steps: [
    {
      call: "search_memory",
      with: ({ topic: asked }) => ({ query: asked }),
      doing: "search my memory",
      as: "statements",
      read: (result) => {
        const list = isObject(result) ? result["statements"] : undefined;
        return (Array.isArray(list) ? list : []).flatMap((one: unknown) =>
          isObject(one) && typeof one["text"] === "string"
            ? [{ text: one["text"], state: String(one["state"]) }]
            : [],
        );
      },
    },
    {
      if: ({ statements = [] }) => statements.length === 0,
      say: ({ topic: asked }) => `I don't remember anything about ${asked}.`,
      stop: true,
    },
    {
      say: ({ statements = [] }) => [
        "I remember:",
        ...statements.map(
          ({ text, state }) => `- ${text}${state === "confirmed" ? "" : " (not confirmed by you)"}`,
        ),
      ],
    },
  ],
});
