import { z } from "zod";
import { endpoints } from "./endpoint.ts";

export const modelProviders = ["gemini", "anthropic", "openai"] as const;
export type ModelProvider = (typeof modelProviders)[number];

/** The providers' names in sentences. */
export const modelProviderNames: Readonly<Record<ModelProvider, string>> = {
  gemini: "Google Gemini",
  anthropic: "Anthropic",
  openai: "OpenAI",
};

/** A model key of the owner. The key itself is never returned. */
export const modelKeyViewSchema = z.object({
  provider: z.enum(modelProviders),
  hint: z.string(),
  model: z.string().nullable(),
  updatedAt: z.iso.datetime(),
});
export type ModelKeyView = Readonly<z.infer<typeof modelKeyViewSchema>>;
const newModelKeySchema = z.strictObject({
  key: z.string().trim().min(8).max(500),
  model: z.string().trim().min(1).max(200).optional(),
});

const modelKeys = z.object({ modelKeys: z.array(modelKeyViewSchema) });

export const modelKeysApi = endpoints({
  "GET /api/model-keys": {
    summary: "List model keys (values hidden).",
    tag: "You",
    scope: "manage",
    response: modelKeys,
  },
  "PUT /api/model-keys/:provider": {
    summary: "Test and store a model key.",
    tag: "You",
    scope: "manage",
    rate: "connect",
    body: newModelKeySchema,
    response: modelKeys.extend({ tried: z.enum(["works", "not_reached"]) }),
  },
  "DELETE /api/model-keys/:provider": {
    summary: "Delete a model key.",
    tag: "You",
    scope: "manage",
    response: modelKeys,
  },
});
