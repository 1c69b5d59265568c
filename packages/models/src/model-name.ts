import { BronError } from "@bron/core";
import type { ModelProvider } from "./model-settings.ts";

export interface ModelName {
  readonly provider: ModelProvider;
  readonly modelId: string;
}

export const demoModelId = "gemini-demo";

/** Throws model_unknown. */
export function parseModelName(text: string, variable = "BRON_MODEL"): ModelName {
  const slash = text.indexOf("/");
  const prefix = slash < 0 ? undefined : text.slice(0, slash).toLowerCase();
  const rest = slash < 0 ? text : text.slice(slash + 1);

  if (prefix === undefined) {
    if (rest.startsWith("gemini-")) return { provider: "gemini", modelId: rest };
    if (rest.startsWith("claude-")) return { provider: "anthropic", modelId: rest };
    if (rest === "demo") return { provider: "demo", modelId: demoModelId };
    throw unknownModel({ text, variable }, "it has no provider");
  }
  const provider = providerPrefixes[prefix];
  if (provider === undefined)
    throw unknownModel({ text, variable }, `there is no provider "${prefix}"`);
  if (rest === "" && provider === "demo") return { provider, modelId: demoModelId };
  if (rest === "") throw unknownModel({ text, variable }, "the model after the slash is missing");
  return { provider, modelId: rest };
}

const providerPrefixes: Readonly<Record<string, ModelProvider>> = {
  gemini: "gemini",
  google: "gemini",
  vertex: "vertex",
  anthropic: "anthropic",
  openai: "openai",
  demo: "demo",
};

function unknownModel(
  { text, variable }: { readonly text: string; readonly variable: string },
  reason: string,
): BronError {
  return new BronError(
    "model_unknown",
    `${variable} is "${text}", but ${reason}. Set it to gemini/<model>, vertex/<model>, anthropic/<model>, openai/<model> or demo, for example gemini/gemini-3.8-flash.`,
    { details: { variable, value: text } },
  );
}
