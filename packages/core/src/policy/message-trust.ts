import type { RunEvent } from "@bron/protocol";

/**
 * Whether the model had read only the owner's words when it wrote a message of this log: its first,
 * its latest, or the one that ended the run. Undefined if there is no such message.
 */
export function isMessageTrusted(
  events: readonly RunEvent[],
  which: "first" | "latest" | "final",
): boolean | undefined {
  const messages = events.flatMap((event) =>
    event.type === "message" && event.payload.role === "assistant" ? [event.payload] : [],
  );
  const message =
    which === "first" ? messages[0] : messages.findLast(({ final }) => which === "latest" || final);
  return message && message.trusted === true;
}
