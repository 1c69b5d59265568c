import type { OfferedMailTools } from "./offered-mail-tools.ts";

/** For the model's words about itself. */
export function mailAbilities({
  search,
  message,
  thread,
  document,
  draft,
  sendDraft,
  reply,
}: OfferedMailTools): readonly string[] {
  return [
    ...(search === undefined ? [] : ["search your mail"]),
    ...(search === undefined || (message ?? thread) === undefined ? [] : ["say what a mail says"]),
    ...(search === undefined || document === undefined
      ? []
      : ["read an attached document and name its key fields"]),
    ...(draft === undefined ? [] : [`draft ${sendDraft === undefined ? "" : "and send "}a mail`]),
    ...(reply === undefined ? [] : ["reply to a mail"]),
  ];
}
