import { z } from "zod";
import { contextSchema } from "../context.ts";
import { questionViewSchema } from "../question.ts";
import { endpoints, idPrefixSchema, runItemsQuery, pageOf } from "./endpoint.ts";

const maxAnswerCharacters = 10_000;

export const questionsApi = endpoints({
  "GET /api/questions": {
    summary: "List the questions that runs ask their owner.",
    tag: "Questions",
    scope: "read",
    query: z.object({
      ...runItemsQuery,
      pending: z.stringbool().optional(),
      idPrefix: idPrefixSchema.optional(),
    }),
    response: pageOf("questions", questionViewSchema, z.uuid()),
  },
  "GET /api/questions/:id": {
    summary: "Get a question.",
    tag: "Questions",
    scope: "read",
    response: questionViewSchema,
  },
  "POST /api/questions/:id/answer": {
    summary:
      "Answer a question, once: in your own words, or with the number of a choice, counted from 1.",
    tag: "Questions",
    scope: "approve",
    rate: "approve",
    body: z
      .strictObject({
        typed: z.string().min(1).max(maxAnswerCharacters).optional(),
        /** With `typed`. */
        context: contextSchema.optional(),
        choice: z.number().int().min(1).max(100).optional(),
      })
      .refine(
        ({ typed, choice }) => (typed === undefined) !== (choice === undefined),
        "Give either typed or choice.",
      ),
    response: questionViewSchema,
  },
});
