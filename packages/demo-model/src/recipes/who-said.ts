import { defineRecipe } from "../recipe/recipe.ts";
import type { SlotReader } from "../recipe/slot.ts";

interface Quote {
  readonly who: string;
  readonly text: string;
}

/** "- Nov 12, Mara: Agreed, 30 days." */
const ownLine = /^- [A-Z][a-z]{2} \d{1,2}, (?<who>[^:]{1,60}): (?<text>.+)$/;

/** What the last message of this model quoted, with its authors. */
const quotes: SlotReader<readonly Quote[]> = (_, { conversation }) =>
  (conversation.earlierMessages.findLast(({ by }) => by === "model")?.text ?? "")
    .split("\n")
    .flatMap((line) => {
      const { who, text = "" } = ownLine.exec(line)?.groups ?? {};
      return who === undefined ? [] : [{ who, text }];
    });

export const whoSaidRecipe = defineRecipe<{ quotes?: readonly Quote[] }>({
  topic: "Slack",
  task: "",
  examples: [],
  phrases: [
    "^who said|wrote|decided|asked|sent|posted|approved it|that|this|these|those|them|so",
    "^by_whom|from_whom|who_was_that|who_was_it|who",
  ],
  unless: ["is|are|free|email|emailed|mail|slack"],
  isEntireMessage: true,
  slots: { quotes },
  needs: ["quotes"],
  steps: [
    {
      say: ({ quotes: all = [] }) =>
        [...Map.groupBy(all, ({ who }) => who)].map(
          ([who, own]) => `- ${who}: ${own.map(({ text }) => `"${text}"`).join(" ")}`,
        ),
    },
  ],
  result: ({ said }) => said.join("\n"),
});
