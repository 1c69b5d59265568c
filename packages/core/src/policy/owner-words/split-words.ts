import type { NewEvent, UserMessage } from "@bron/protocol";
import { typedWords } from "./typed-words.ts";

/** A text of the owner, and the texts beside it that are not theirs. */
export interface SplitText {
  readonly words: string;
  readonly apart: readonly {
    readonly text: string;
    /** `words`: it was taken out of the words. `context`: it came with them. */
    readonly from: "words" | "context";
  }[];
}

/**
 * Splits the text of the owner that an event has. Undefined for other events, for texts of programs
 * and parent runs, and if all of it counts as the owner's words.
 */
export function splitEvent(event: NewEvent): SplitText | undefined {
  const said = ownerTextOf(event);
  if (said === undefined || said.from !== undefined || said.program !== undefined) return undefined;
  const { content, context = [], asTyped } = said;
  const { words, pasted } = asTyped ? { words: content, pasted: [] } : typedWords(content);
  if (pasted.length + context.length === 0) return undefined;
  return {
    words,
    apart: [
      ...pasted.map((text) => ({ text, from: "words" as const })),
      ...context.map((text) => ({ text, from: "context" as const })),
    ],
  };
}

function ownerTextOf(event: NewEvent): Omit<UserMessage, "role"> | undefined {
  switch (event.type) {
    case "message":
      return event.payload.role === "user" ? event.payload : undefined;
    case "owner_message":
      return event.payload;
    case "approval":
      return event.payload.reply === undefined
        ? undefined
        : { ...event.payload, content: event.payload.reply };
    case "question":
      return event.payload.typed === undefined
        ? undefined
        : { ...event.payload, content: event.payload.typed };
    default:
      return undefined;
  }
}
