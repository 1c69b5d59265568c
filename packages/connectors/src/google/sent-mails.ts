import { nameWords } from "@bron/core";
import type { gmail_v1 } from "@googleapis/gmail";
import { markHeader } from "../gmail/compose-mail.ts";
import { readFromGoogle, type Caller, type CallDeps } from "./call-google.ts";
import type { GmailClient } from "./gmail-service.ts";

const maxMessages = 50;
export const recipientHeaders = ["To", "Cc", "Bcc"];
/** Headers that show that the owner did not choose the recipients and their names. */
export const otherHeaders = ["In-Reply-To", markHeader];

type Deps = CallDeps<GmailClient>;

export interface Called {
  readonly name: string;
  /** See `nameWords`. */
  readonly words: readonly string[];
}

/** Mails that the owner sent, newest first. */
export interface SentMails {
  readonly ids: readonly string[];
  /** There may be older ones. */
  readonly isCut: boolean;
}

/**
 * Finds mails to people of a name, without those to one person. Gmail finds "Schröder" only as it is
 * written, and an address only as it is spelled out.
 */
export async function searchSent(
  deps: Deps,
  caller: Caller,
  { name, words }: Called,
  without?: string,
): Promise<SentMails> {
  const written = (name.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).filter(
    (word) => !words.includes(word) && nameWords(word).some((folded) => words.includes(folded)),
  );
  const asWritten = words.map(
    (word) => written.find((one) => nameWords(one).includes(word)) ?? word,
  );
  const spellings = written.length === 0 ? [words] : [words, asWritten];
  const found = await Promise.all(
    spellings.map((spelling) => searchOnce(deps, caller, spelling, without)),
  );
  return {
    ids: [...new Set(found.flatMap(({ ids }) => ids))],
    isCut: found.some(({ isCut }) => isCut),
  };
}

async function searchOnce(
  deps: Deps,
  caller: Caller,
  words: readonly string[],
  without: string | undefined,
): Promise<SentMails> {
  const terms = words.map((word) => `to:${word}`);
  const others = without === undefined ? [] : [`-to:${without}`];
  const { messages = [], nextPageToken } = await readFromGoogle(
    deps,
    caller,
    ({ gmail }, options) =>
      gmail.users.messages.list(
        { userId: "me", q: ["in:sent", ...terms, ...others].join(" "), maxResults: maxMessages },
        options,
      ),
  );
  return {
    ids: messages.flatMap(({ id }) => id ?? []),
    isCut: messages.length >= maxMessages || Boolean(nextPageToken),
  };
}

/** The headers of sent mails that show whom they went to. */
export async function readSent(
  deps: Deps,
  caller: Caller,
  ids: readonly string[],
): Promise<gmail_v1.Schema$Message[]> {
  return await Promise.all(
    ids.map((id) =>
      readFromGoogle(deps, caller, ({ gmail }, options) =>
        gmail.users.messages.get(
          {
            userId: "me",
            id,
            format: "metadata",
            metadataHeaders: [...recipientHeaders, ...otherHeaders],
          },
          options,
        ),
      ),
    ),
  );
}
