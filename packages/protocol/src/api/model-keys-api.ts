import { z } from "zod";
import { emptyBodySchema, endpoints } from "./endpoint.ts";

export const modelProviders = ["gemini", "anthropic", "openai"] as const;
export type ModelProvider = (typeof modelProviders)[number];

/** The providers' names in sentences. */
export const modelProviderNames: Readonly<Record<ModelProvider, string>> = {
  gemini: "Google Gemini",
  anthropic: "Anthropic",
  openai: "OpenAI",
};

/** What a stored key may be for: a provider, or a model server on the machine of this server. */
const modelKeyProviders = [...modelProviders, "local"] as const;
export type ModelKeyProvider = (typeof modelKeyProviders)[number];

/**
 * `tested`: the provider answered. `untested`: it could not be reached, so the key is not used until
 * its owner accepts it. `accepted`: used, although it was never tested.
 */
const modelKeyStates = ["tested", "untested", "accepted"] as const;
export type ModelKeyState = (typeof modelKeyStates)[number];

/** A model key of the owner. The key itself is never returned. */
const modelKeyViewSchema = z.object({
  provider: z.enum(modelKeyProviders),
  /** The last characters of the key. For `local`, the id of the model server. */
  hint: z.string(),
  state: z.enum(modelKeyStates),
  model: z.string().nullable(),
  updatedAt: z.iso.datetime(),
});
export type ModelKeyView = Readonly<z.infer<typeof modelKeyViewSchema>>;
const newModelKeySchema = z.strictObject({
  key: z.string().trim().min(8).max(500),
  model: z.string().trim().min(1).max(200).optional(),
});

/** Model servers that people run on their own machine, which need no key. */
export const localServerIds = ["ollama", "lmstudio", "llamacpp"] as const;
export type LocalServerId = (typeof localServerIds)[number];
export const localServerNames: Readonly<Record<LocalServerId, string>> = {
  ollama: "Ollama",
  lmstudio: "LM Studio",
  llamacpp: "llama.cpp",
};
const localServerSchema = z.object({
  id: z.enum(localServerIds),
  url: z.string(),
  models: z.array(z.string()).readonly(),
});
/** A model server that responded. */
export type LocalServer = Readonly<z.infer<typeof localServerSchema>>;

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
  "POST /api/model-keys/:provider/test": {
    summary: "Test a stored model key again. A key that the provider rejects is deleted.",
    tag: "You",
    scope: "manage",
    rate: "connect",
    body: emptyBodySchema,
    response: modelKeys.extend({ tried: z.enum(["works", "not_reached"]) }),
  },
  "POST /api/model-keys/:provider/accept": {
    summary: "Use a model key that could not be tested.",
    tag: "You",
    scope: "manage",
    body: emptyBodySchema,
    response: modelKeys,
  },
  "GET /api/local-models": {
    summary:
      "Look for model servers on the machine of this server. Others than its owner see none.",
    tag: "You",
    scope: "manage",
    response: z.object({ servers: z.array(localServerSchema) }),
  },
  "PUT /api/local-models": {
    summary: "Test a model of a local server, and use it.",
    tag: "You",
    scope: "manage",
    rate: "connect",
    body: z.strictObject({
      server: z.enum(localServerIds),
      model: z.string().regex(/^[\w.:/@+-]{1,200}$/, "must be the name of a model"),
    }),
    response: modelKeys,
  },
  "DELETE /api/model-keys/:provider": {
    summary: "Delete a model key.",
    tag: "You",
    scope: "manage",
    response: modelKeys,
  },
});
