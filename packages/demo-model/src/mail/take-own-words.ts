import { omitUndefined } from "@bron/protocol";
import { quotation } from "../planner/quotes.ts";
import type { Scratch } from "./scratch.ts";

/** The text of a mail in the user's own words. */
export interface OwnWords {
  readonly subject?: string;
  readonly bodyText?: string;
  /** The text ended with "and send it", which was removed. */
  readonly endsInSend: boolean;
}

/** "And write an email to" starts a new mail and is not part of the text. */
const notAMail =
  "(?!\\s+(?:an?|the|to|him|her|them|it|einen?|eine|an|den|die|un|une|le|la|a|au|me|mir|moi)\\b)";
const toldTo = "(?:him|her|them|[\\p{L}-]+)";
const says =
  `(?:saying(?: that)?|that says|which says|reading|(?:with|and) (?:the )?(?:text|message|body|words|content)|(?:the )?(?:body|text|message)(?: (?:is|should (?:be|say|read)))?(?=[:\\s]*${quotation}|:)|and (?:say|write${notAMail}|tell ${toldTo}(?<!me)|let ${toldTo}(?<!me) know)(?: that)?|to (?:say|tell ${toldTo}(?<!me)|let ${toldTo}(?<!me) know)(?: that)?|telling ${toldTo}(?: that)?|` +
  `(?:mit|und) dem (?:text|inhalt)|und (?:sage?|schreibe?${notAMail})(?: (?:ihm|ihr|ihnen))?(?:,? dass)?|(?:text|inhalt)(?=:)|(?:,\\s*)?dass(?= )|sage?(?: (?:ihm|ihr|ihnen))?(?:,? dass)?|` +
  `en (?:lui |leur )?disant(?: que)?|disant(?: que)?|(?:avec|et) le (?:texte|message)|et (?:dis|ecris${notAMail}|reponds${notAMail})(?:-(?:lui|leur))?(?: que)?|pour (?:lui |leur )?dire(?: que)?|(?:texte|message)(?= ?:)|qui dit(?: que)?)`;
const quotedBody = new RegExp(`(?:,\\s*)?\\b${says}\\s*:?\\s*(?<body>${quotation})`, "u");
const colonBody = new RegExp(`:\\s*(?<body>${quotation})`, "u");
const looseBody = new RegExp(`(?:,\\s*)?\\b${says}\\s*:?\\s+(?<body>[^\\s][\\s\\S]*)$`, "u");
const bareColon = /:\s+(?<body>[^\s][\s\S]*)$/u;
const sendAfter =
  /[\s,.;]*(?:(?:and|then|and then|und|dann|und dann|et|puis|et puis|ensuite)\s+)+(?:please\s+|bitte\s+)?(?:send it|send that|send|schicke? (?:es|sie|ihn)(?: ab)?|sende? (?:es|sie|ihn)(?: ab)?|envoie(?:-l[ea])?|envoie)[\s.!]*$/i;

const about =
  "(?:with (?:the )?|and (?:the )?|mit (?:dem )?|und (?:dem )?|avec (?:pour |l'|le |comme )?|et (?:l'|le |pour )?)?";
const quotedSubject = new RegExp(
  `(?:,\\s*)?\\b${about}(?:subject(?: line)?|betreff|objet|sujet)\\s*(?:is|of|:|=)?\\s*(?<subject>${quotation})`,
  "u",
);
const looseSubject = new RegExp(
  `(?:,\\s*)?\\b${about}(?:subject(?: line)?|betreff|objet)\\s*[:=]?\\s+(?<subject>(?!of\\b|matter\\b)[^,;:]+?)(?=\\s*(?:[,;]|\\b${says}|\\band (?:the )?(?:body|text|message)|\\bund (?:dem )?text|\\bet le (?:texte|message)|$))`,
  "u",
);

/**
 * Takes the body before anything else, because it may contain any words. An unquoted body extends
 * to the end of the task, except for "and send it".
 */
export function takeOwnWords(
  scratch: Scratch,
  restore: (text: string) => string,
  mayBeBare: boolean,
): OwnWords {
  const quoted = scratch.take(quotedSubject)?.groups["subject"];
  const { words: bodyWords, endsInSend } = takeBody(scratch, mayBeBare);
  const subject = quoted ?? scratch.take(looseSubject)?.groups["subject"];
  return {
    ...omitUndefined({
      subject:
        subject === undefined
          ? undefined
          : restore(subject.trim().replace(/[.\s]+$/, "")).replace(/\s+/g, " "),
      bodyText: bodyWords === undefined ? undefined : restore(bodyWords.trim()),
    }),
    endsInSend,
  };
}

function takeBody(
  scratch: Scratch,
  mayBeBare: boolean,
): { readonly words?: string; readonly endsInSend: boolean } {
  const quoted = (scratch.take(quotedBody) ?? (mayBeBare ? scratch.take(colonBody) : undefined))
    ?.groups["body"];
  if (quoted !== undefined) return { words: quoted, endsInSend: false };
  const loose = (scratch.take(looseBody) ?? (mayBeBare ? scratch.take(bareColon) : undefined))
    ?.groups["body"];
  if (loose === undefined) return { endsInSend: false };
  const ending = sendAfter.exec(loose)?.[0] ?? "";
  return { words: loose.slice(0, loose.length - ending.length), endsInSend: ending !== "" };
}
