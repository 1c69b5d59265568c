import type { AskKind } from "@bron/protocol";

/**
 * What an effect does, in terms that the owner's words can ask for. The descriptions are for the
 * reader of those words, and the only ones that it sees.
 */
export const effectKinds: Readonly<Record<AskKind, string>> = {
  send_mail: "sends a new email, or a draft that exists",
  reply: "replies to an email, to its author or to everyone in the conversation",
  forward: "forwards an email",
  write_draft: "writes, changes or deletes a draft of an email, without sending it",
  create_event: "adds an event to the calendar, with or without guests",
  change_event: "changes or moves an event in the calendar, or answers an invitation",
  cancel_event: "deletes an event from the calendar",
  post: "posts a message in a channel or on a board, or writes to a person in a chat",
  write_note: "writes, changes or deletes a note of the owner",
  open_page: "opens a page on the web",
};

export type EffectKind = AskKind;

/**
 * The kinds of requests that ask for an effect of a kind. A mail may be sent as a new one, a reply or
 * a forwarded one, because the tool that the model chooses matters less than whom it reaches. A
 * request to send covers the draft on the way.
 */
const askedBy: Readonly<Record<EffectKind, readonly EffectKind[]>> = {
  send_mail: ["send_mail", "reply", "forward"],
  reply: ["reply", "send_mail"],
  forward: ["forward"],
  write_draft: ["write_draft", "send_mail", "reply", "forward"],
  create_event: ["create_event"],
  change_event: ["change_event"],
  cancel_event: ["cancel_event"],
  post: ["post"],
  write_note: ["write_note"],
  open_page: ["open_page"],
};

export function isAskedBy(effect: EffectKind, ask: EffectKind): boolean {
  return askedBy[effect].includes(ask);
}

const mails: ReadonlySet<EffectKind> = new Set(["send_mail", "reply", "forward"]);

/** Whether it leaves as an email. A draft does not. */
export function isMail(effect: EffectKind): boolean {
  return mails.has(effect);
}

/** "Don't reply to Tom" is about every mail to Tom. "Don't send it" does not forbid its draft. */
export function isForbiddenBy(effect: EffectKind, prohibited: EffectKind | "any"): boolean {
  return (
    prohibited === "any" || effect === prohibited || (mails.has(effect) && mails.has(prohibited))
  );
}
