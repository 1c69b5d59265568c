import type {
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from "@ai-sdk/provider";
import {
  omitUndefined,
  type AssistantPart,
  type JsonValue,
  type ProviderData,
} from "@bron/protocol";
import { cleanJson } from "../context/clean-text.ts";

interface CollectedMessage {
  readonly parts: AssistantPart[];
  readonly text: string;
  readonly calls: { callId: string; tool: string; input: JsonValue }[];
  readonly finish: string | undefined;
  readonly usage: LanguageModelV4Usage | undefined;
}

export interface MessageCollector {
  take(part: LanguageModelV4StreamPart): void;
  characters(): number;
  message(): CollectedMessage;
}

interface Block {
  readonly type: "text" | "reasoning";
  text: string;
  provider: ProviderData | undefined;
}

type Entry = Block | Extract<AssistantPart, { type: "call" }>;

/** Collects a stream into message parts. Each part keeps its provider data (signatures). */
export function collectMessage(
  onDelta: (kind: "text" | "reasoning", delta: string) => void,
): MessageCollector {
  const entries: Entry[] = [];
  const blocks = new Map<string, Block>();
  const calls: CollectedMessage["calls"] = [];
  let characters = 0;
  let finish: string | undefined;
  let usage: LanguageModelV4Usage | undefined;

  const block = (type: Block["type"], id: string): Block => {
    const key = `${type}:${id}`;
    const found = blocks.get(key);
    if (found) return found;
    const created: Block = { type, text: "", provider: undefined };
    blocks.set(key, created);
    entries.push(created);
    return created;
  };
  const extend = (target: Block, delta: string, metadata: SharedV4ProviderMetadata | undefined) => {
    target.text += delta;
    characters += delta.length;
    target.provider = mergeProvider(target.provider, metadata);
    if (delta !== "") onDelta(target.type, delta);
  };

  return {
    characters: () => characters,
    take(part) {
      switch (part.type) {
        case "text-start":
        case "text-end":
          extend(block("text", part.id), "", part.providerMetadata);
          if (part.type === "text-end") blocks.delete(`text:${part.id}`);
          break;
        case "text-delta":
          extend(block("text", part.id), part.delta, part.providerMetadata);
          break;
        case "reasoning-start":
        case "reasoning-end":
          extend(block("reasoning", part.id), "", part.providerMetadata);
          if (part.type === "reasoning-end") blocks.delete(`reasoning:${part.id}`);
          break;
        case "reasoning-delta":
          extend(block("reasoning", part.id), part.delta, part.providerMetadata);
          break;
        case "tool-input-delta":
          characters += part.delta.length;
          break;
        case "tool-call": {
          characters += part.input.length;
          const input = parseInput(part.input);
          const provider = mergeProvider(undefined, part.providerMetadata);
          calls.push({ callId: part.toolCallId, tool: part.toolName, input });
          entries.push({
            type: "call",
            callId: part.toolCallId,
            ...omitUndefined({ provider }),
          });
          break;
        }
        case "finish":
          finish = part.finishReason.unified;
          usage = part.usage;
          break;
        default:
          break;
      }
    },
    message() {
      // Clean complete texts, because a surrogate pair may arrive in two pieces.
      const clean = cleanJson({ parts: contentOf(entries), calls });
      const text = clean.parts
        .flatMap((part) => (part.type === "text" ? [part.text] : []))
        .join("");
      return { ...clean, text, finish, usage };
    },
  };
}

/** Leaves out empty texts, unless they carry provider data. */
function contentOf(entries: readonly Entry[]): AssistantPart[] {
  return entries.flatMap((entry): AssistantPart[] => {
    if (entry.type === "call") return [entry];
    if (entry.text === "" && !entry.provider) return [];
    return [
      {
        type: entry.type,
        text: entry.text,
        ...(entry.provider ? { provider: entry.provider } : {}),
      },
    ];
  });
}

function mergeProvider(
  before: ProviderData | undefined,
  metadata: SharedV4ProviderMetadata | undefined,
): ProviderData | undefined {
  if (!metadata) return before;
  const merged: ProviderData = { ...before };
  for (const [provider, data] of Object.entries(metadata)) {
    const present = Object.fromEntries(
      Object.entries(data).filter(
        (entry): entry is [string, JsonValue] => entry[1] !== undefined && entry[1] !== null,
      ),
    );
    if (Object.keys(present).length > 0) merged[provider] = { ...merged[provider], ...present };
  }
  return Object.keys(merged).length > 0 ? merged : undefined;
}

/**
 * Arguments that are not JSON stay text. Validation then fails with a message that the model sees.
 */
function parseInput(input: string): JsonValue {
  if (input.trim() === "") return {};
  try {
    return JSON.parse(input) as JsonValue;
  } catch {
    return input;
  }
}
