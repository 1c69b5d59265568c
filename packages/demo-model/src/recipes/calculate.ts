import { defineRecipe } from "../recipe/recipe.ts";
import type { SlotReader } from "../recipe/slot.ts";
import { textOf } from "./json.ts";
import { literal } from "../words/quoted.ts";
import { dropNeedlessBrackets, previousMark, readExpression } from "./arithmetic.ts";
import { everything, trimmedWords } from "./own-words.ts";

export interface Math {
  readonly expression: string;
  /** The expression in the owner's words. */
  readonly asked: string;
}

interface CalculateValues {
  math?: Math;
  expression?: string | undefined;
  value?: string;
}

/** Reads an expression out of a question or a command. */
export function readMath(words: string): Math | undefined {
  const text = words
    .replace(/^whats\b/i, "what's")
    .replace(/^use (?:the |your )?calculator(?: tool)? to /i, "");
  const expression = readExpression(text);
  if (expression === undefined) return undefined;
  const asked = text
    .replace(
      /^(?:(?:what(?:'s| is| are)|how much (?:is|are)|calculate|compute|work out|evaluate|solve|figure out|find|tell me|give me|the result of)\b:?\s+)+/i,
      "",
    )
    .replace(/[\s=]+$/, "");
  return { expression, asked };
}

const math: SlotReader<Math> = (text) => {
  const found = readMath(trimmedWords(text));
  if (found !== undefined) text.take(everything);
  return found;
};

/** Puts the previous result into the expression. Undefined if it is needed and no number. */
function withPrevious(expression: string, previous: string | undefined): string | undefined {
  if (!expression.includes(previousMark)) return expression;
  const [, number] =
    /(-?\d+(?:\.\d+)?)\.?$/.exec((previous ?? "").replace(/(\d),(?=\d{3})/g, "$1")) ?? [];
  return number === undefined
    ? undefined
    : dropNeedlessBrackets(expression.replaceAll(previousMark, number));
}

/** The result of the calculator, the clock or a note as text. */
export function readValue(result: unknown): string {
  for (const name of ["result", "value", "text", "local", "formatted", "time", "content", "iso"])
    if (textOf(result, name) !== "") return textOf(result, name);
  return typeof result === "string" || typeof result === "number"
    ? String(result).trim()
    : (JSON.stringify(result) ?? "");
}

export const calculateRecipe = defineRecipe<CalculateValues>({
  topic: "math",
  task: "calculate",
  examples: [
    "What is 12 * (3 + 4)?",
    "What is 17% of 2340?",
    "Could you compute twelve divided by four?",
    "what is the sum of 3, 4 and 5?",
    "30% off 80",
    "subtract 3 from 10",
    "whats 7 x 6?",
  ],
  phrases: ["*"],
  slots: { math },
  needs: ["math"],
  steps: [
    {
      set: ({ math: wanted, previous }) => ({
        expression: withPrevious(wanted?.expression ?? "", previous),
      }),
    },
    {
      if: ({ expression }) => expression === undefined,
      say: ({ math: wanted }) =>
        `I didn't calculate ${wanted?.asked} because it needs the result of another step.`,
      stop: true,
      outcome: "could_not",
    },
    {
      call: "calculator",
      with: ({ expression }) => ({ expression }),
      doing: ({ math: wanted }) => `calculate ${wanted?.asked}`,
      as: "value",
      read: readValue,
    },
    { say: ({ math: wanted, value }) => `${literal(wanted?.asked ?? "")} = ${value}` },
  ],
  result: ({ value }) => value,
});
