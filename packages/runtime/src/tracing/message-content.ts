import type { RunModel } from "@bron/core";
import type { Attributes } from "@opentelemetry/api";

type DoStream = RunModel["model"]["doStream"];
type Prompt = Parameters<DoStream>[0]["prompt"];
export type StreamPart =
  Awaited<ReturnType<DoStream>>["stream"] extends ReadableStream<infer Part> ? Part : never;
type PromptPart = Exclude<Prompt[number]["content"], string>[number];

/**
 * A message part in the format of the OpenTelemetry conventions, for `gen_ai.input.messages` and
 * `gen_ai.output.messages`.
 */
interface MessagePart {
  readonly type: string;
  readonly [member: string]: unknown;
}

export function inputContent(prompt: Prompt): Attributes {
  const system = prompt.flatMap((message) =>
    message.role === "system" ? [{ type: "text", content: message.content }] : [],
  );
  const messages = prompt.flatMap((message) =>
    message.role === "system"
      ? []
      : [{ role: message.role, parts: message.content.map(toMessagePart) }],
  );
  return {
    "gen_ai.system_instructions": JSON.stringify(system),
    "gen_ai.input.messages": JSON.stringify(messages),
  };
}

function toMessagePart(part: PromptPart): MessagePart {
  switch (part.type) {
    case "text":
    case "reasoning":
      return { type: part.type, content: part.text };
    case "tool-call":
      return { type: "tool_call", id: part.toolCallId, name: part.toolName, arguments: part.input };
    case "tool-result":
      return { type: "tool_call_response", id: part.toolCallId, response: part.output };
    default:
      // Binary content is left out.
      return { type: part.type };
  }
}

/** Assembles a message from its stream parts. */
export function createMessageRecorder() {
  const content = { text: "", reasoning: "" };
  const calls: MessagePart[] = [];
  let finish = "";
  return {
    take(part: StreamPart): void {
      if (part.type === "text-delta") content.text += part.delta;
      else if (part.type === "reasoning-delta") content.reasoning += part.delta;
      else if (part.type === "tool-call")
        calls.push({
          type: "tool_call",
          id: part.toolCallId,
          name: part.toolName,
          arguments: parsed(part.input),
        });
      else if (part.type === "finish") finish = part.finishReason.unified;
    },
    attributes(): Attributes {
      const words = (["reasoning", "text"] as const).flatMap((type): MessagePart[] =>
        content[type] === "" ? [] : [{ type, content: content[type] }],
      );
      return {
        "gen_ai.output.messages": JSON.stringify([
          { role: "assistant", parts: [...words, ...calls], finish_reason: finish },
        ]),
      };
    },
  };
}

function parsed(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}
