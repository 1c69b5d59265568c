import { omitUndefined } from "@bron/protocol";
import type {
  LanguageModelV4,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  SharedV4ProviderMetadata,
} from "@ai-sdk/provider";

type AssistantMessage = Extract<LanguageModelV4Message, { role: "assistant" }>;
type Part<Type> = Extract<LanguageModelV4StreamPart, { type: Type }>;

const question: LanguageModelV4Prompt = [
  { role: "system", content: "Be brief." },
  { role: "user", content: [{ type: "text", text: "What is 6 * 7?" }] },
];

const calculator = {
  type: "function",
  name: "calculator",
  description: "Evaluates an arithmetic expression.",
  inputSchema: {
    type: "object",
    properties: { expression: { type: "string" } },
    required: ["expression"],
  },
} as const;

export async function streamParts(
  model: LanguageModelV4,
  prompt: LanguageModelV4Prompt = question,
): Promise<LanguageModelV4StreamPart[]> {
  const { stream } = await model.doStream({ prompt, tools: [calculator], maxOutputTokens: 1_000 });
  const parts: LanguageModelV4StreamPart[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

export function only<Type extends LanguageModelV4StreamPart["type"]>(
  parts: readonly LanguageModelV4StreamPart[],
  type: Type,
): Part<Type>[] {
  return parts.filter((part): part is Part<Type> => part.type === type);
}

/**
 * Preserves signatures: metadata of any part of a block (its start, a delta or its end) goes onto
 * the prompt part of that block, as `providerOptions` under the same key. Gemini sends it with the
 * start and a delta, or with an empty last delta. Anthropic sends it only with an empty delta after
 * the thinking.
 */
export function assistantMessage(parts: readonly LanguageModelV4StreamPart[]): AssistantMessage {
  const content: AssistantMessage["content"] = [];
  const blocks = new Map<string, { text: string; providerOptions?: SharedV4ProviderMetadata }>();
  for (const part of parts) {
    switch (part.type) {
      case "text-start":
      case "reasoning-start": {
        const block = {
          type: part.type === "text-start" ? ("text" as const) : ("reasoning" as const),
          text: "",
        };
        blocks.set(part.id, block);
        content.push(block);
        keepMetadata(blocks, part);
        break;
      }
      case "text-delta":
      case "reasoning-delta": {
        const block = blocks.get(part.id);
        if (block !== undefined) block.text += part.delta;
        keepMetadata(blocks, part);
        break;
      }
      case "text-end":
      case "reasoning-end":
        keepMetadata(blocks, part);
        break;
      case "tool-call":
        content.push({
          type: "tool-call",
          toolCallId: part.toolCallId,
          toolName: part.toolName,
          input: JSON.parse(part.input),
          ...omitUndefined({ providerOptions: part.providerMetadata }),
        });
        break;
      default:
    }
  }
  return { role: "assistant", content };
}

function keepMetadata(
  blocks: Map<string, { text: string; providerOptions?: SharedV4ProviderMetadata }>,
  part: { id: string; providerMetadata?: SharedV4ProviderMetadata | undefined },
): void {
  const block = blocks.get(part.id);
  if (block !== undefined && part.providerMetadata !== undefined)
    block.providerOptions = { ...block.providerOptions, ...part.providerMetadata };
}

/** The conversation after each of the model's calls returned 42. */
export function withToolResults(message: AssistantMessage): LanguageModelV4Prompt {
  const results = message.content
    .filter((part) => part.type === "tool-call")
    .map((call) => ({
      type: "tool-result" as const,
      toolCallId: call.toolCallId,
      toolName: call.toolName,
      output: { type: "text" as const, value: "42" },
    }));
  return [...question, message, { role: "tool", content: results }];
}
