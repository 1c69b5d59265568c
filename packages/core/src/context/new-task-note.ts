import type { LanguageModelV4Message } from "@ai-sdk/provider";
import { userMessage } from "./model-messages.ts";

/**
 * Separates the thread's history from the run's own messages. Without it a model cannot tell an
 * earlier task, which may have failed without a message, from the current one and from what the user
 * says later. It comes after the history, so that the provider's prompt cache stays valid.
 */
export function newTaskNote(history: readonly unknown[]): LanguageModelV4Message[] {
  if (history.length === 0) return [];
  return [
    userMessage(
      "[NEW TASK]\nThe messages above are the earlier conversation. The user's new task follows.",
    ),
  ];
}
