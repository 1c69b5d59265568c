import type { LanguageModelV4Message, LanguageModelV4ToolResultPart } from "@ai-sdk/provider";
import type {
  AssistantPart,
  JsonObject,
  JsonValue,
  PlannedCall,
  ToolEnd,
  UserMessage,
} from "@bron/protocol";
import { BronError, unreachable } from "../errors.ts";
import { contextNote } from "./context-note.ts";
import type { ModelNames } from "../tool/tool-names.ts";

/** Converts the log's format to the format of the model interface. */

export function userMessage(
  text: string,
  { context = [], asTyped }: Partial<Pick<UserMessage, "context" | "asTyped">> = {},
): LanguageModelV4Message {
  const texts = [
    ...(asTyped ? [asTypedNote] : []),
    text,
    ...(context.length === 0 ? [] : [contextNote(context)]),
  ];
  return { role: "user", content: texts.map((text) => ({ type: "text", text })) };
}

const asTypedNote =
  "[THE USER'S OWN WORDS]\nThe user says that the following text, which came pasted before, is their own.";

export function assistantMessage(
  parts: readonly AssistantPart[],
  calls: readonly PlannedCall[],
  modelNames: ModelNames,
): LanguageModelV4Message {
  return {
    role: "assistant",
    content: parts.map((part) => {
      const options = part.provider ? { providerOptions: part.provider } : {};
      switch (part.type) {
        case "text":
        case "reasoning":
          return { type: part.type, text: part.text, ...options };
        case "call":
          return { ...toolCall(calls, part.callId, modelNames), ...options };
        default:
          return unreachable(part);
      }
    }),
  };
}

function toolCall(calls: readonly PlannedCall[], callId: string, modelNames: ModelNames) {
  const call = calls.find((planned) => planned.callId === callId);
  if (!call) throw new BronError("internal", `The log has no call ${callId}`);
  // The wire format requires an object, whatever the model produced.
  return {
    type: "tool-call" as const,
    toolCallId: callId,
    toolName: modelNames.get(call.tool) ?? call.tool,
    input: isObject(call.input) ? call.input : {},
  };
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function toolResultPart(
  callId: string,
  end: ToolEnd,
  modelNames: ModelNames,
): LanguageModelV4ToolResultPart {
  return {
    type: "tool-result",
    toolCallId: callId,
    toolName: modelNames.get(end.name) ?? end.name,
    output: resultOutput(end),
  };
}

function resultOutput(end: ToolEnd): LanguageModelV4ToolResultPart["output"] {
  switch (end.outcome) {
    case "completed":
      return typeof end.output === "string"
        ? { type: "text", value: end.output }
        : { type: "json", value: end.output ?? null };
    case "rejected":
      return { type: "execution-denied", reason: end.error?.message ?? "The user declined." };
    case "failed":
    case "canceled":
      return {
        type: "error-text",
        value: `${end.error?.code ?? end.outcome}: ${end.error?.message ?? "It did not finish."}`,
      };
    case "unknown":
      return {
        type: "error-text",
        value: `effect_unknown: ${end.error?.message ?? "It is unknown whether this happened."} Do not do it again; tell the user to check.`,
      };
    default:
      return unreachable(end.outcome);
  }
}

const encoder = new TextEncoder();

export function byteLength(value: unknown): number {
  return encoder.encode(JSON.stringify(value)).length;
}

/** The messages as they are sent. */
export function inCallOrder(messages: readonly LanguageModelV4Message[]): LanguageModelV4Message[] {
  return messages.map((message, index) => withOrderedResults(message, messages[index - 1]));
}

/**
 * Providers require results in the order of the calls. The log has them in the order in which they
 * finished.
 */
export function withOrderedResults(
  message: LanguageModelV4Message,
  before: LanguageModelV4Message | undefined,
): LanguageModelV4Message {
  if (message.role !== "tool" || message.content.length < 2 || before?.role !== "assistant")
    return message;
  const order = before.content.flatMap((part) =>
    part.type === "tool-call" ? [part.toolCallId] : [],
  );
  const position = (part: (typeof message.content)[number]) =>
    part.type === "tool-result" ? order.indexOf(part.toolCallId) : -1;
  return { ...message, content: message.content.toSorted((a, b) => position(a) - position(b)) };
}
