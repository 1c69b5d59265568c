import { BronError, isOutage, normalizeAddress, type Contacts, type Recipient } from "@bron/core";
import type { gmail_v1 } from "@googleapis/gmail";
import { markHeader } from "../gmail/compose-mail.ts";
import { readFromGoogle, type Caller, type CallDeps } from "./call-google.ts";
import type { GmailClient } from "./gmail-service.ts";
import { createSkippedMails } from "./skipped-mails.ts";

/** A person whom the owner has emailed, with the names that the owner used. */
export type KnownPerson = { address: string; names: string[] };

/**
 * Returns which of these addresses the owner has emailed before. Reads the owner's sent mail,
 * because only the owner can add to it.
 */
export type KnownPeople = (caller: Caller, addresses: readonly string[]) => Promise<KnownPerson[]>;

const maxLookups = 20;
const maxMessages = 50;
const batchSize = 5;
const headers = ["To", "Cc", "Bcc"];

interface KnownPeopleDeps extends CallDeps<GmailClient> {
  readonly contacts: Contacts;
  /** Name of the account source. Contacts from a simulated account never count for a real one. */
  readonly source: string | (() => Promise<string>);
}

/**
 * Remembers each person once found, because later mail from Bron could push what the owner wrote
 * out of the search results.
 */
export function createKnownPeople({ contacts, source, ...deps }: KnownPeopleDeps): KnownPeople {
  const markedMails = createSkippedMails();
  const peopleIn = async (caller: Caller, ids: readonly string[]) => {
    const read = await Promise.all(
      ids.map((id) =>
        readFromGoogle(deps, caller, ({ gmail }, options) =>
          gmail.users.messages.get(
            { userId: "me", id, format: "metadata", metadataHeaders: [...headers, markHeader] },
            options,
          ),
        ),
      ),
    );
    // A model chose the recipients of mail that Bron sent. Only mail that the owner wrote shows
    // whom they know, and by which name.
    const writtenByOwner = read.filter(({ payload }, index) => {
      if (!hasMark(payload)) return true;
      markedMails.add(caller.ownerId, ids[index] ?? "");
      return false;
    });
    const { addressParser } = await import("postal-mime");
    return writtenByOwner
      .flatMap(({ payload }) => headersOf(payload))
      .flatMap((value) => addressParser(value).flatMap((entry) => entry.group ?? [entry]));
  };
  /** Reads newest first, and goes further back only while it finds nothing but mail from Bron. */
  const lookUp = async (caller: Caller, address: string): Promise<KnownPerson[]> => {
    // Gmail's search also matches similar names, so the headers decide.
    const { messages = [] } = await readFromGoogle(deps, caller, ({ gmail }, options) =>
      gmail.users.messages.list(
        { userId: "me", q: `in:sent to:${address}`, maxResults: maxMessages },
        options,
      ),
    );
    const ids = messages
      .flatMap(({ id }) => id ?? [])
      .filter((id) => !markedMails.has(caller.ownerId, id));
    for (let at = 0; at < ids.length; at += batchSize) {
      const found = (await peopleIn(caller, ids.slice(at, at + batchSize))).filter(
        (person) => person.address !== undefined && normalizeAddress(person.address) === address,
      );
      if (found.length > 0)
        return [
          {
            address,
            names: [
              ...new Set(
                found
                  .map(({ name }) => name ?? "")
                  .filter((name) => name !== "" && !name.includes("@")),
              ),
            ],
          },
        ];
    }
    return [];
  };
  return async (caller, addresses) => {
    const checked = [...new Set(addresses.map(normalizeAddress))].slice(0, maxLookups);
    const from = typeof source === "string" ? source : await source();
    const remembered = await contacts.find(caller.ownerId, from, checked);
    const missing = checked.filter(
      (address) => !remembered.some((person) => person.address === address),
    );
    try {
      const found = (await Promise.all(missing.map((address) => lookUp(caller, address)))).flat();
      await contacts.remember(caller.ownerId, from, found);
      return [
        ...remembered.map(({ address, names }) => ({ address, names: [...names] })),
        ...found,
      ];
    } catch (error) {
      // Unverified people count as unknown, so the owner is asked.
      if (BronError.is(error) && !isOutage(error)) return [];
      throw error;
    }
  };
}

function hasMark(payload: gmail_v1.Schema$MessagePart | undefined): boolean {
  const mark = markHeader.toLowerCase();
  return payload?.headers?.some(({ name }) => name?.toLowerCase() === mark) === true;
}

function headersOf(payload: gmail_v1.Schema$MessagePart | undefined): string[] {
  return (payload?.headers ?? []).flatMap(({ name, value }) =>
    value && headers.some((header) => header.toLowerCase() === name?.toLowerCase()) ? [value] : [],
  );
}

export function toRecipient(
  text: string,
  role: Recipient["role"],
  known: readonly KnownPerson[],
): Recipient {
  const address = normalizeAddress(text);
  const person = known.find((entry) => entry.address === address);
  return { address: text, role, ...(person ? { known: { names: person.names } } : {}) };
}
