import type { ModelName } from "./model-name.ts";

/** Input tokens of one call, by the start of the model's name. The first match counts. */
const windows: readonly (readonly [prefix: string, tokens: number])[] = [
  ["gemini-1.5-pro", 2_097_152],
  ["gemini-", 1_048_576],
  ["claude-opus-4-6", 1_000_000],
  ["claude-opus-4-7", 1_000_000],
  ["claude-opus-4-8", 1_000_000],
  ["claude-sonnet-4-6", 1_000_000],
  ["claude-opus-5", 1_000_000],
  ["claude-sonnet-5", 1_000_000],
  ["claude-fable-5", 1_000_000],
  ["claude-", 200_000],
];

/** Undefined for a server that may run any model. */
export function contextWindow({ provider, modelId }: ModelName): number | undefined {
  if (provider === "openai") return undefined;
  return windows.find(([prefix]) => modelId.startsWith(prefix))?.[1];
}
