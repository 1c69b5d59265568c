import type { AuxiliaryRequest } from "../model/auxiliary-request.ts";
import { effectKinds } from "./effect-kinds.ts";
import type { ReadableWords } from "./readable-words.ts";
import { readingSchema } from "./reading-schema.ts";

/** The purpose of the auxiliary call that reads the owner's words. */
export const readingPurpose = "read_intent";

/** Without a reading in this time, the owner is asked about every effect. */
const maxReadingMs = 10_000;

const kinds = Object.entries(effectKinds)
  .map(([name, does]) => `- ${name}: ${does}`)
  .join("\n");

const instruction = `You read what a person typed for their assistant, and list what they ask the assistant to change or send. Another program compares what the assistant is about to do with your list, and asks the person about everything that is not in it. So list only what the words ask for, and leave out what you are not sure of.

The input is a list of texts. "now" was typed for this task. "standing" is a general instruction of the person. "earlier" was typed for earlier tasks: it asks for nothing any more, but it tells whom "her" or "the same" mean, and what it forbids stays forbidden. «q1: text, 20 characters» stands for a quotation that you cannot see.

Kinds of effects:
${kinds}

asks: one entry for each effect that the words ask for now. Searching, counting, comparing and answering the person are no effects. Reading is none either, with one exception: open_page, for the URLs of pages that the person wants to be read.
- words: the words that ask for it, copied exactly from a text that is "now" or "standing".
- times: "each" only if the words ask for one effect per person or thing ("each of them", "separately"), otherwise "once".
- people: everyone whom this effect is to reach, as the person wrote them. A person is not reached if they are only the sender, the author, the topic, an example, part of a question, or someone who must not be reached. means: "person" for a name, role, group or address; "owner" for the person themselves ("me"); "author" for the person who wrote the email that is replied to; "everyone" for all people of that conversation or event; "same_people" for the people of another email or event.
- things: the email, draft, event, file, note, channel or URL that the effect is about or uses, as the person wrote it, with the words that name its sender.
- fields: for change_event, what changes.
- dictated: the text of a message that the person dictates word for word, without its subject or title.
prohibitions: what the words forbid, or allow only later or under a condition: the words, the people and the things it is about, and the kind of effect, or "any".

A mention is copied exactly from a text, with its name: {"text":"w1","words":"Jonas"}. To mention a quotation, name its slot: {"slot":"q1"}. What the person quotes, asks about or tells as a story asks for nothing.`;

/**
 * The request to read the owner's words. It depends on the words alone, so that nothing that a run
 * has read can change it.
 */
export function readingRequest({ texts }: ReadableWords): AuxiliaryRequest {
  return {
    purpose: readingPurpose,
    instruction,
    prompt: JSON.stringify(texts),
    schema: readingSchema,
    timeoutMs: maxReadingMs,
    maxAttempts: 2,
  };
}
