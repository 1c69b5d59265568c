import type { SlotReader } from "../recipe/slot.ts";

/** An email that the last message of this model was about. */
export interface LastEmail {
  readonly from: string;
  readonly subject: string;
}

const quotedEmail = /^(?<from>[^\n]{1,100}) wrote on [^\n]+ \("(?<subject>[^\n]*)"\):$/gm;
const listedEmail = /^- [A-Z][a-z]{2} \d{1,2}, (?<from>[^:\n]{1,100}): (?<subject>[^\n]+)$/gm;

/** Takes "it", "him" or "this mail", if the last message was about exactly one email. */
export const lastEmail: SlotReader<LastEmail> = (text, { conversation }) => {
  const said = conversation.earlierMessages.findLast(({ by }) => by === "model")?.text ?? "";
  text.take(
    /\b(?:to )?(?:him|her|them|it|that|this)(?: (?:e-?mail|mail|message|thread|conversation))?\b/,
  );
  const mails = [
    ...said.matchAll(quotedEmail),
    ...(said.startsWith("Found ") ? said.matchAll(listedEmail) : []),
  ];
  const [only, ...others] = mails.map(({ groups }) => groups);
  return only === undefined || others.length > 0
    ? undefined
    : { from: only["from"] ?? "", subject: only["subject"] ?? "" };
};

/** Whether the sender of an email has all words of a name. */
export function isFrom(from: string, name: string): boolean {
  const folded = from.toLowerCase();
  return name
    .toLowerCase()
    .split(/\s+/)
    .every((word) => folded.includes(word));
}
