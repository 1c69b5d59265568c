import { defineRecipe } from "../recipe/recipe.ts";
import { createText } from "../recipe/text.ts";
import type { SlotReader } from "../recipe/slot.ts";

/** The message is nothing else. */
const only =
  (pattern: RegExp): SlotReader<boolean> =>
  (text) =>
    createText(text.rest().trim()).has(pattern);

export const thanksRecipe = defineRecipe<{ isThanks?: boolean }>({
  topic: "thanks",
  task: "",
  examples: ["thanks!", "ok great, thank you so much"],
  phrases: ["thanks|thank|thx|ty|cheers"],
  isEntireMessage: true,
  slots: {
    isThanks: only(
      /^(?:(?:ok|okay|oh|great|perfect|cool|nice|super|wonderful|good)\W+)*(?:many )?(?:thanks|thank you|thank u|thx|ty|cheers)(?: bron)?(?: (?:so much|a lot|very much|again|for (?:that|this|your help|the help)))?\W*$/,
    ),
  },
  needs: ["isThanks"],
  steps: [{ say: "You're welcome." }],
});

const german =
  "ich|mir|mich|mein|meine|meinen|meinem|wie|viele|wann|welche|welcher|habe|hast|bitte|und|oder|der|das|dem|den|ein|eine|einen|auf|uhr|heute|morgen|verschiebe|schreibe|schick|zeige|nicht|ist|sind|mit";
const others =
  "je|mes|mon|est|combien|quand|avec|pour|une|les|el|los|mis|cuando|hoy|por|que|quando|oggi|il|mio|jutro|dzisiaj|czy|moje";

/** Two words of another language, of which English has none. */
export const otherLanguageRecipe = defineRecipe<{ isOther?: boolean }>({
  topic: "languages",
  task: "",
  examples: [
    "verschiebe mein 1:1 mit priya auf freitag 15 uhr",
    "Wie viele ungelesene Mails habe ich?",
    "combien de mails est-ce que je dois lire",
  ],
  phrases: [`${german}|${others}`],
  unless: ["the|to|my|what|saying|email|send"],
  isEntireMessage: true,
  slots: {
    isOther: (words) => {
      const text = createText(words.take(/^[^]*$/) ?? "");
      return (
        text.takeAll(new RegExp(`(?<![\\p{L}'@.])(?:${german}|${others})(?![\\p{L}'@.])`, "u"))
          .length > 1
      );
    },
  },
  needs: ["isOther"],
  steps: [
    {
      say: ({ request }) =>
        `I can't do "${request}" in demo mode. The demo model reads English only.`,
      outcome: "could_not",
    },
  ],
});
