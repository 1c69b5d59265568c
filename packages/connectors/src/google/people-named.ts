import { BronError, isOutage, nameWords, normalizeAddress, type PeopleNamed } from "@bron/core";
import type { gmail_v1 } from "@googleapis/gmail";
import type { Caller, CallDeps } from "./call-google.ts";
import type { GmailClient } from "./gmail-service.ts";
import {
  otherHeaders,
  readSent,
  recipientHeaders,
  searchSent,
  type Called,
  type SentMails,
} from "./sent-mails.ts";
import { createSkippedMails } from "./skipped-mails.ts";

const batchSize = 10;
const maxWords = 6;

/**
 * Knows the names in mail that the owner wrote by hand, or else the words before the @ of their
 * recipients.
 */
export function createPeopleNamed(deps: CallDeps<GmailClient>): PeopleNamed {
  const skippedMails = createSkippedMails();
  /** Two people are enough to know that the name is not clear. */
  const peopleIn = async (caller: Caller, { ids: all }: SentMails, { words }: Called) => {
    const found = new Set<string>();
    const ids = all.filter((id) => !skippedMails.has(caller.ownerId, id));
    for (let at = 0; at < ids.length && found.size < 2; at += batchSize)
      for (const { id, payload } of await readSent(deps, caller, ids.slice(at, at + batchSize))) {
        if (!isWrittenByHand(payload)) skippedMails.add(caller.ownerId, id ?? "");
        else
          for (const { name, address } of await addressesOf(payload))
            if (isCalled(name, address, words)) found.add(normalizeAddress(address));
      }
    return found;
  };
  /**
   * A page that is full of mails to one person hides older mails to another of that name. If their
   * mails fill a page too, one of its recipients stands for those who cannot be known.
   */
  const othersCalled = async (caller: Caller, called: Called, person: string) => {
    const sent = await searchSent(deps, caller, called, person);
    const found = await peopleIn(caller, sent, called);
    if (found.size > 0 || !sent.isCut) return [...found];
    const [newest] = await readSent(deps, caller, sent.ids.slice(0, 1));
    const recipients = newest ? await addressesOf(newest.payload) : [];
    return recipients.slice(0, 1).map(({ address }) => normalizeAddress(address));
  };
  return async (caller, name) => {
    const called = { name, words: nameWords(name) };
    if (called.words.length === 0 || called.words.length > maxWords) return [];
    try {
      const sent = await searchSent(deps, caller, called);
      const found = await peopleIn(caller, sent, called);
      const [person] = found;
      return sent.isCut && found.size === 1 && person !== undefined
        ? [...new Set([person, ...(await othersCalled(caller, called, person))])]
        : [...found];
    } catch (error) {
      // A name that cannot be looked up means no one, so the owner is asked.
      if (BronError.is(error) && !isOutage(error)) return [];
      throw error;
    }
  };
}

async function addressesOf(
  payload: gmail_v1.Schema$MessagePart | undefined,
): Promise<{ readonly name: string; readonly address: string }[]> {
  const { addressParser } = await import("postal-mime");
  return recipientsIn(payload)
    .flatMap((header) => addressParser(header).flatMap((one) => one.group ?? [one]))
    .flatMap(({ name, address }) => (address === undefined ? [] : [{ name, address }]));
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

function isCalled(displayName: string, address: string, words: readonly string[]) {
  const hasName = displayName !== "" && !displayName.includes("@");
  const known = nameWords(hasName ? displayName : address.slice(0, address.lastIndexOf("@")));
  return words.every((word) => known.includes(word));
}
