import { defineRecipe } from "../recipe/recipe.ts";
import type { SlotReader } from "../recipe/slot.ts";
import { createText } from "../recipe/text.ts";
import { readValue } from "./calculate.ts";
import { trimmedWords } from "./own-words.ts";
import { findPlace } from "./places.ts";

interface ClockValues {
  places?: readonly { readonly name: string; readonly timezone?: string }[];
  times?: readonly string[];
}

const places: SlotReader<NonNullable<ClockValues["places"]>> = (text) => {
  const list = text.take(
    /\b(?:in|at) (?!the (?:moment|world)\b)(?<value>.+?)(?=\s+(?:when|if|while)\b|$)/s,
  );
  if (list === undefined) return [{ name: "" }];
  return trimmedWords(createText(list))
    .replace(/\s+(?:right now|now|currently|at the moment)$/i, "")
    .split(/\s*,?\s+and\s+|\s*,\s*/i)
    .map((place) => place.replace(/^(?:in|at)\s+/i, "").trim())
    .filter((place) => place !== "")
    .map((place) => findPlace(place) ?? { name: place });
};

export const clockRecipe = defineRecipe<ClockValues>({
  topic: "time zones",
  task: "tell the time in a city",
  examples: [
    "What time is it in Tokyo and in Paris?",
    "What's the time in tokyo right now?",
    "tell me the current time in San Francisco",
    "How late is it in Mumbai?",
    "What time is it?",
  ],
  phrases: [
    "what_time_is_it|what_time_it_is|how_late_is_it|current_time|the_time",
    "what|what's time in",
  ],
  unless: ["meeting|call|free|next", "note|notes|post|save|write"],
  slots: { places },
  fillers: "time moment current",
  later: {
    places: (text, context) => (text.has(/\b(?:in|at)\b/) ? places(text, context) : undefined),
  },
  steps: [
    {
      if: ({ places: asked = [] }) => asked.some(({ name, timezone }) => name !== "" && !timezone),
      say: ({ places: asked = [] }) =>
        `I don't know the time zone of "${asked.find(({ timezone }) => !timezone)?.name}". Name a larger city nearby.`,
      stop: true,
      outcome: "needs_answer",
    },
    {
      call: "clock",
      with: ({ places: asked = [] }) => asked.map(({ timezone }) => ({ timezone })),
      doing: "check the time",
      as: "times",
      read: readValue,
    },
    {
      say: ({ places: asked = [], times = [] }) =>
        asked.map(({ name }, index) =>
          name === "" ? `It is ${times[index]}` : `In ${name} it is ${times[index]}`,
        ),
    },
  ],
  result: ({ places: asked = [], times = [] }) =>
    asked.length === 1
      ? times[0]
      : asked.map(({ name }, index) => `${name}: ${times[index]}`).join("; "),
});
