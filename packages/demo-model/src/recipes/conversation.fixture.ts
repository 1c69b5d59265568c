import { readIntent } from "../recipe/read-intent.ts";
import type { Conversation } from "../conversation.ts";
import { planResponse } from "../recipe/plan-response.ts";
import type { MessageResponse } from "../script.ts";
import type { FunctionDeclaration } from "../wire.ts";
import { recipes } from "./recipes.ts";

/** A Sunday. */
export const today = "2026-11-15";

export function createConversation(values: Partial<Conversation>): Conversation {
  return {
    system: `Today is Sunday, ${today} (UTC)`,
    task: "",
    results: [],
    laterWords: [],
    earlierResults: [],
    earlierMessages: [],
    attachedFiles: [],
    turn: 0,
    ...values,
  };
}

/** The next message of the demo model. */
export function plan(
  values: Partial<Conversation>,
  declarations: readonly FunctionDeclaration[],
): MessageResponse {
  return planResponse(createConversation(values), { recipes, declarations, mayCall: true });
}

/** The kinds of effects that the model reads in a task. */
export function effectsAskedFor(task: string): string[] {
  const prompt = JSON.stringify([{ name: "w1", when: "now", text: task }]);
  const { asks } = readIntent(prompt, recipes) as { asks: { effect: string }[] };
  return asks.map(({ effect }) => effect);
}
