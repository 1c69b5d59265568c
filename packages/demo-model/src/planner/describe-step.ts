import type { Step } from "./step.ts";

/** True for "add 5", false for "2 + 5". */
export function isOperation(words: string): boolean {
  return /^(?:add|subtract|multiply|divide|double|triple|halve|square)\b/i.test(words);
}

/** Describes a step in the infinitive: "calculate 6 * 7". */
export function describeStep(step: Step): string {
  switch (step.kind) {
    case "calculate":
      return isOperation(step.words) ? step.words.toLowerCase() : `calculate ${step.words}`;
    case "clock":
      return step.place === undefined ? "tell the time" : `tell the time in ${step.place.name}`;
    case "write":
      return `write the note "${step.title}"`;
    case "list":
      return "list your notes";
    case "read":
      return `read the note "${step.title}"`;
    case "post":
      return `post to the ${step.board} board`;
    case "unclear":
      return `"${step.words}"`;
  }
}
