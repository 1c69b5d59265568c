import type { Conversation } from "../conversation.ts";
import type { Text } from "./text.ts";

/** What a slot reader may use besides the words of the request. */
export interface SlotContext {
  readonly conversation: Conversation;
  /** "2026-11-15", or "" if the model was not given the date. */
  readonly today: string;
}

/** Takes a value out of the text. Returns undefined, "" or [] if there is none. */
export interface SlotReader<Value> {
  (text: Text, context: SlotContext): Value | undefined;
  /** The value is a text that is passed on as it is. dictation.ts creates these readers. */
  readonly isDictation?: true;
}

/** Reads the first match of the patterns: their group `value`, or else all of it. */
export function after(...patterns: readonly RegExp[]): SlotReader<string> {
  return (text) => {
    for (const pattern of patterns) {
      const value = text.take(pattern)?.trim();
      if (value !== undefined && value !== "") return value;
    }
    return undefined;
  };
}

/** Reads whether the text contains the pattern, and takes it out. */
export function flag(pattern: RegExp): SlotReader<boolean> {
  return (text) => text.take(pattern) !== undefined;
}

/** Whether a value counts as given. */
export function isPresent(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}
