import { isObject, type Content, type GenerateRequest, type JsonObject } from "./wire.ts";

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
  /** Files that the user attached, as Bron lists them before the task. */
  readonly attachedFiles: readonly JsonObject[];
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
    attachedFiles: readAttachedFiles(request.contents),
    turn: request.contents.filter(({ role }) => role === "model").length,
  };
}

const filesNote = "[ATTACHED FILES]\n";

/** The note about attached files is not something that the user said. */
function joinText(parts: Content["parts"]): string {
  return parts
    .flatMap(({ text, thought }) =>
      text === undefined || thought === true || text.startsWith(filesNote) ? [] : [text],
    )
    .join("\n");
}

/** Each line of the note after its first two is a file as JSON. */
function readAttachedFiles(contents: readonly Content[]): readonly JsonObject[] {
  const notes = contents
    .filter(({ role }) => role !== "model")
    .flatMap(({ parts }) =>
      parts.flatMap(({ text = "" }) => (text.startsWith(filesNote) ? [text] : [])),
    );
  return (notes.at(-1) ?? "")
    .split("\n")
    .slice(2)
    .flatMap((line) => {
      try {
        const file: unknown = JSON.parse(line);
        return isObject(file) ? [file] : [];
      } catch {
        return [];
      }
    });
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
