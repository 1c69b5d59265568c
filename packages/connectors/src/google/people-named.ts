import { BronError, isOutage, nameWords, normalizeAddress, type PeopleNamed } from "@bron/core";
import type { gmail_v1 } from "@googleapis/gmail";
import { markHeader } from "../gmail/compose-mail.ts";
import { readFromGoogle, type Caller, type CallDeps } from "./call-google.ts";
import type { GmailClient } from "./gmail-service.ts";
import { createSkippedMails } from "./skipped-mails.ts";

const maxMessages = 50;
const batchSize = 10;
const maxWords = 6;
const recipientHeaders = ["To", "Cc", "Bcc"];
const otherHeaders = ["In-Reply-To", markHeader];

/**
 * Knows the names in mail that the owner wrote by hand, or else the words before the @ of their
 * recipients.
 */
export function createPeopleNamed(deps: CallDeps<GmailClient>): PeopleNamed {
  const skippedMails = createSkippedMails();
  const readBatch = async (caller: Caller, ids: readonly string[]) =>
    await Promise.all(
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
  const search = async (caller: Caller, words: readonly string[]) => {
    const { messages = [] } = await readFromGoogle(deps, caller, ({ gmail }, options) =>
      gmail.users.messages.list(
        {
          userId: "me",
          q: `in:sent ${words.map((word) => `to:${word}`).join(" ")}`,
          maxResults: maxMessages,
        },
        options,
      ),
    );
    return messages.flatMap(({ id }) => id ?? []);
  };
  /** Gmail finds "Schröder" only as it is written, and an address only as it is spelled out. */
  const searchSpellings = async (caller: Caller, name: string, words: readonly string[]) => {
    const written = (name.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).filter(
      (word) => !words.includes(word) && nameWords(word).some((folded) => words.includes(folded)),
    );
    const asWritten = words.map(
      (word) => written.find((one) => nameWords(one).includes(word)) ?? word,
    );
    const found = await Promise.all([
      search(caller, words),
      ...(written.length === 0 ? [] : [search(caller, asWritten)]),
    ]);
    return [...new Set(found.flat())];
  };
  return async (caller, name) => {
    const words = nameWords(name);
    if (words.length === 0 || words.length > maxWords) return [];
    const { addressParser } = await import("postal-mime");
    const found = new Set<string>();
    try {
      const ids = (await searchSpellings(caller, name, words)).filter(
        (id) => !skippedMails.has(caller.ownerId, id),
      );
      // Two people are enough to know that the name is not clear.
      for (let at = 0; at < ids.length && found.size < 2; at += batchSize)
        for (const { id, payload } of await readBatch(caller, ids.slice(at, at + batchSize))) {
          if (!isWrittenByHand(payload)) skippedMails.add(caller.ownerId, id ?? "");
          else
            for (const header of recipientsIn(payload))
              for (const entry of addressParser(header).flatMap((one) => one.group ?? [one]))
                if (entry.address !== undefined && isCalled(entry.name, entry.address, words))
                  found.add(normalizeAddress(entry.address));
        }
    } catch (error) {
      // A name that cannot be looked up means no one, so the owner is asked.
      if (BronError.is(error) && !isOutage(error)) return [];
      throw error;
    }
    return [...found];
  };
}

/**
 * Whether the owner chose the recipients and their names. A model chose those of a mail with Bron's
 * mark. In a reply, mail programs copy the name that the other person chose.
 */
function isWrittenByHand(payload: gmail_v1.Schema$MessagePart | undefined): boolean {
  return valuesOf(payload, otherHeaders).length === 0;
}

function recipientsIn(payload: gmail_v1.Schema$MessagePart | undefined): string[] {
  return valuesOf(payload, recipientHeaders);
}

function valuesOf(
  payload: gmail_v1.Schema$MessagePart | undefined,
  names: readonly string[],
): string[] {
  const wanted = names.map((name) => name.toLowerCase());
  return (payload?.headers ?? []).flatMap(({ name, value }) =>
    wanted.includes(name?.toLowerCase() ?? "") ? [value ?? ""] : [],
  );
}

function isCalled(displayName: string | undefined, address: string, words: readonly string[]) {
  const hasName = displayName !== undefined && displayName !== "" && !displayName.includes("@");
  const known = nameWords(hasName ? displayName : address.slice(0, address.lastIndexOf("@")));
  return words.every((word) => known.includes(word));
}
