import { contentWords } from "../mail/content-words.ts";
import type { Scratch } from "../mail/scratch.ts";
import { takeTopic } from "../mail/take-topic.ts";
import { foldText } from "../reading/fold-text.ts";
import {
  noEmailRequest,
  takeEmailRequest,
  type EmailRequest,
} from "../workspace/take-email-request.ts";

export interface WebTask {
  readonly area: "web";
  readonly urls: readonly string[];
  /** The topic in the task's own words. Empty means the entire page. */
  readonly topic: readonly string[];
  readonly wantsPrices: boolean;
  readonly emailRequest: EmailRequest;
}

const address =
  /(?<url>https?:\/\/[^\s<>"']+|(?<![\w@.-])www\.[\w-]+(?:\.[\w-]+)+(?:\/[^\s<>"']*)?)/;
const maxPages = 3;
const pageWords =
  /^(?:(?:web)?(?:page|site|seite|adresse)s?|web|url|link|internet|online|content|inhalt|contenu|lien|text|information|infos?|steht|stehen|says?|tells?|short|main|kurz|long|takes?|according|lange|dauert|laut|selon|dure|sagt|parle|dit|summary|summarise|summarize|us)$/;
const priceWords =
  /^(?:price|prices|pricing|cost|costs|preise?n?|kosten|kostet|prix|tarifs?|coute|coutent|much)$/;

/** Returns undefined when the task contains no URL. */
export function understandWeb(scratch: Scratch, subject: string | undefined): WebTask | undefined {
  const urls: string[] = [];
  for (
    let found = scratch.take(address);
    found !== undefined && urls.length < maxPages;
    found = scratch.take(address)
  )
    urls.push(cleanUrl(found.whole));
  if (urls.length === 0) return undefined;
  const emailRequest =
    scratch.has(/@/) || scratch.has(/\b(?:e-?mail|mail)\b/)
      ? takeEmailRequest(scratch, subject)
      : noEmailRequest;
  const asked = contentWords(`${takeTopic(scratch) ?? ""} ${scratch.text()}`).filter(
    (word) => !pageWords.test(foldText(word)),
  );
  return {
    area: "web",
    urls,
    topic: asked.filter((word) => !priceWords.test(foldText(word))),
    wantsPrices:
      asked.some((word) => priceWords.test(foldText(word))) ||
      scratch.has(/\b(?:how much|wie viel|combien)\b/),
    emailRequest,
  };
}

/** Punctuation after a URL belongs to the sentence. */
function cleanUrl(words: string): string {
  const url = words.replace(/[.,;:!?)\]»]+$/, "");
  return /^https?:/i.test(url) ? url : `https://${url}`;
}
