import { defineTool } from "@bron/core";
import { z } from "zod";
import { evaluateExpression } from "./evaluate-expression.ts";

export const calculator = defineTool({
  name: "calculator",
  description:
    'Calculates an arithmetic expression exactly as written: + - * / % ^ ( ) sqrt(), percentages as "17% of 2340", thousands as 1,234.50.',
  input: z.object({ expression: z.string().min(1).describe("For example (1200 + 350) * 3 / 4") }),
  label: "trusted",
  repeatable: true,
  parallelSafe: true,
  execute: ({ expression }) => {
    const result = evaluateExpression(expression);
    // Above 2^53 a double cannot represent every integer.
    return {
      expression,
      result,
      ...(Math.abs(result) > Number.MAX_SAFE_INTEGER ? { approximate: true } : {}),
    };
  },
});
