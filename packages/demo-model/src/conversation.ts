import type { Content, GenerateRequest, JsonObject } from "./wire.ts";

/** A call of the model and its result. */
export interface ToolResult {
  readonly name: string;
  readonly args: JsonObject;
  readonly response: JsonObject;
}

export interface EarlierMessage {
  readonly by: "user" | "model";
  readonly text: string;
}

export interface Conversation {
  readonly system: string;
  /** The user's latest message. */
  readonly task: string;
  /** Results of the current task, in order. */
  readonly results: readonly ToolResult[];
  /** Results of earlier tasks. */
  readonly earlierResults: readonly ToolResult[];
  /** Earlier messages, oldest first. */
  readonly earlierMessages: readonly EarlierMessage[];
  /** Number of model turns in the entire history. */
  readonly turn: number;
}

/**
 * The index of the user's latest message, where the current turn starts. Tool results do not count.
 */
export function currentTurnStart(contents: readonly Content[]): number {
  return Math.max(
    0,
    contents.findLastIndex(
      ({ role, parts }) =>
        role !== "model" && parts.every((part) => part.functionResponse === undefined),
    ),
  );
}

/** Requires a validated request, in which calls and responses match. */
export function readConversation(request: GenerateRequest): Conversation {
  const start = currentTurnStart(request.contents);
  return {
    system: joinText(request.systemInstruction?.parts ?? []),
    task: joinText(request.contents[start]?.parts ?? []),
    results: readResults(request.contents.slice(start)),
    earlierResults: readResults(request.contents.slice(0, start)),
    earlierMessages: request.contents
      .slice(0, start)
      .map(({ role, parts }) => ({
        by: role === "model" ? ("model" as const) : ("user" as const),
        text: joinText(parts),
      }))
      .filter(({ text }) => text !== ""),
    turn: request.contents.filter(({ role }) => role === "model").length,
  };
}

function joinText(parts: Content["parts"]): string {
  return parts
    .flatMap(({ text, thought }) => (text === undefined || thought === true ? [] : [text]))
    .join("\n");
}

function readResults(contents: readonly Content[]): readonly ToolResult[] {
  const calls = contents.flatMap(({ parts }) => parts.flatMap((part) => part.functionCall ?? []));
  const responses = contents.flatMap(({ parts }) =>
    parts.flatMap((part) => part.functionResponse ?? []),
  );
  return responses.map(({ name, response }, index) => ({
    name,
    response,
    args: calls[index]?.args ?? {},
  }));
}
