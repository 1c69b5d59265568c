import { z } from "zod";

/**
 * The list of models in OpenAI's API. Other programs use the same ports, so a response must match all
 * of it. Ollama returns null if it has no model.
 */
export const openaiModelListSchema = z.object({
  object: z.literal("list"),
  data: z
    .array(
      z.object({ id: z.string(), object: z.literal("model"), owned_by: z.string().optional() }),
    )
    .max(1_000)
    .nullable(),
});
