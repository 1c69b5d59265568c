import { defineRecipe } from "../recipe/recipe.ts";

/** Requests that depend on the future, or that forbid something. Doing them now would be wrong. */
export const conditionRecipe = defineRecipe({
  topic: "conditions",
  task: "",
  examples: [
    "If it rains, post 'umbrella' to the office board",
    "Post 'umbrella' to the office board if it rains",
    "When I am back, post 'umbrella' to the office board and list my notes",
    "Do not post 'umbrella' to the office board",
    "Tomorrow, post 'umbrella' to the office board",
    "Ask me before you post 'umbrella' to the office board",
    "Every Monday send eva@x.example a summary of my mail",
  ],
  phrases: [
    "^if|unless|whenever|once|every|as_soon_as|tomorrow|tonight|later|never|do_not|don't",
    "^when_i|when_a|when_an|when_the|when_my|when_it",
    "if_it|if_the|unless|in_case|before_you|as_soon_as",
  ],
  unless: ["^if_i'm|if_i_am free|available", "^ask|tell|check if|whether"],
  isEntireMessage: true,
  slots: {},
  steps: [
    {
      say: ({ request }) =>
        /^\W*(?:don't|dont|do not|never)\b/i.test(request)
          ? `I can't do "${request}" in demo mode. Nothing was sent or changed.`
          : `I can't do "${request}" in demo mode. The demo model can't wait for future events or conditions.`,
      outcome: "could_not",
    },
  ],
});
