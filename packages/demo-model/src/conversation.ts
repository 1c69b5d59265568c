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
  /** What the user wants now. Words that the user adds later do not replace it. */
  readonly task: string;
  /** What the user said after the task: more words, or replies to approvals. */
  readonly laterWords: readonly string[];
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

export const noConversation: Conversation = {
  system: "",
  task: "",
  laterWords: [],
  results: [],
  earlierResults: [],
  earlierMessages: [],
  attachedFiles: [],
  turn: 0,
};

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
  const start = findTaskStart(request.contents);
  return {
    system: joinText(request.systemInstruction?.parts ?? []),
    task: joinText(request.contents[start]?.parts ?? []),
    laterWords: readUserTexts(request.contents.slice(start + 1)),
    results: readResults(request.contents.slice(start)),
    earlierResults: readResults(request.contents.slice(0, start)),
    earlierMessages: request.contents
      .slice(0, start)
      .filter((content) => content.role === "model" || isUserText(content))
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
const taskNote = "[NEW TASK]\n";
const contextNote = "[CONTEXT]\n";
const ownWordsNote = "[THE USER'S OWN WORDS]\n";
const notes = [filesNote, taskNote, contextNote, ownWordsNote];

/**
 * The index of the message with the current task. Bron separates it from the earlier conversation
 * by a note. Without the note, the earlier conversation ends with the last message of the model that
 * calls nothing.
 */
function findTaskStart(contents: readonly Content[]): number {
  const note = contents.findLastIndex(
    ({ role, parts }) => role !== "model" && parts[0]?.text?.startsWith(taskNote) === true,
  );
  const lastFinal = contents.findLastIndex(
    ({ role, parts }) =>
      role === "model" && parts.every(({ functionCall }) => functionCall === undefined),
  );
  const from = (note >= 0 ? note : lastFinal) + 1;
  return Math.max(
    0,
    contents.findIndex((content, index) => index >= from && isUserText(content)),
  );
}

function isUserText({ role, parts }: Content): boolean {
  return (
    role !== "model" &&
    parts.every(
      ({ functionResponse, text = "" }) =>
        functionResponse === undefined && !text.startsWith(filesNote),
    ) &&
    joinText(parts) !== ""
  );
}

function readUserTexts(contents: readonly Content[]): readonly string[] {
  return contents.filter(isUserText).map(({ parts }) => joinText(parts));
}

/** The notes about files, the context, the task and whose words these are, are not something that the user said. */
function joinText(parts: Content["parts"]): string {
  return parts
    .flatMap(({ text, thought }) =>
      text === undefined || thought === true || notes.some((note) => text.startsWith(note))
        ? []
        : [text],
    )
    .join("\n");
}

/** Each line of the note after its first two is a file as JSON. */
function readAttachedFiles(contents: readonly Content[]): readonly JsonObject[] {
  const lists = contents
    .filter(({ role }) => role !== "model")
    .flatMap(({ parts }) =>
      parts.flatMap(({ text = "" }) => (text.startsWith(filesNote) ? [text] : [])),
    );
  return (lists.at(-1) ?? "")
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
