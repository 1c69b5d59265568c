import type { Content, GenerateRequest, JsonObject } from "./wire.ts";

/** A call that the model made and what came back for it. */
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
  /** The latest thing that the user asked for. */
  readonly task: string;
  /** Results since that task was given, in order. */
  readonly results: readonly ToolResult[];
  /** Results of the tasks before it. */
  readonly earlierResults: readonly ToolResult[];
  /** What was said before it, oldest first. */
  readonly earlierWords: readonly EarlierMessage[];
  /** Model turns so far, in the whole history. */
  readonly turn: number;
}

/** Where the current turn begins: the last thing that a user said, as opposed to what tools answered. */
export function currentTurnStart(contents: readonly Content[]): number {
  return Math.max(
    0,
    contents.findLastIndex(
      ({ role, parts }) =>
        role !== "model" && parts.every((part) => part.functionResponse === undefined),
    ),
  );
}

/** For a validated request, so calls and responses are in step. */
export function readConversation(request: GenerateRequest): Conversation {
  const start = currentTurnStart(request.contents);
  return {
    system: joinText(request.systemInstruction?.parts ?? []),
    task: joinText(request.contents[start]?.parts ?? []),
    results: readResults(request.contents.slice(start)),
    earlierResults: readResults(request.contents.slice(0, start)),
    earlierWords: request.contents
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
