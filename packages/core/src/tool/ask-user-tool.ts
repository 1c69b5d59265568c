import { answerSchemaSchema, expectedAnswer, readAnswer } from "@bron/protocol";
import { z } from "zod";
import { defineTool } from "./define-tool.ts";
import { BronError } from "../errors.ts";
import type { Tool } from "./tool.ts";

const maxTextCharacters = 2_000;
const maxChoices = 8;
const maxChoiceCharacters = 200;

/** The tool with which the model asks the owner something. The loop carries it out. */
export const askUserTool: Tool = defineTool({
  name: "ask_user",
  description:
    "Asks the user one question and waits for the answer. Use it only if you cannot find out by yourself, and the answer changes what you do. Returns {answer, from}: from is typed, choice, default or nobody.",
  input: z
    .object({
      question: z.string().trim().min(1).max(maxTextCharacters),
      choices: z
        .array(z.string().trim().min(1).max(maxChoiceCharacters))
        .min(2)
        .max(maxChoices)
        .optional()
        .describe("Answers to choose from. The user can also type another one"),
      default: z
        .string()
        .trim()
        .min(1)
        .max(maxChoiceCharacters)
        .optional()
        .describe("The answer that counts if none comes in time"),
      schema: answerSchemaSchema
        .optional()
        .describe("What a typed answer must be, for example {type: integer, minimum: 1}"),
    })
    .superRefine(({ choices = [], default: byDefault, schema }, context) => {
      if (!schema) return;
      for (const [path, text] of [
        ...choices.map((choice, index) => [["choices", index], choice] as const),
        [["default"], byDefault] as const,
      ])
        if (text !== undefined && readAnswer(schema, text) === undefined)
          context.addIssue({
            code: "custom",
            path: [...path],
            message: `Must be ${expectedAnswer(schema)}`,
          });
    }),
  label: "trusted",
  // The answer of the earlier run may be out of date.
  reuseOnRetry: false,
  repeatable: true,
  questionOf: ({ question, choices, schema, default: byDefault }) => ({
    text: question,
    choices,
    schema,
    default: byDefault,
  }),
  execute() {
    throw new BronError("internal", "The loop asks questions by itself");
  },
});
