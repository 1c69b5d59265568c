import { BronError, isOutage, normaliseAddress, type Contacts, type Recipient } from "@bron/core";
import type { gmail_v1 } from "@googleapis/gmail";
import { markHeader } from "../gmail/compose-mail.ts";
import { readFromGoogle, type Caller, type CallDeps } from "./call-google.ts";
import type { GmailClient } from "./gmail-service.ts";

/** Somebody whom the owner has written to, with the names that they used. */
export type KnownPerson = { address: string; names: string[] };

/** Who of these the owner has ever written to, by their own sent mail: nobody else can put anything there. */
export type KnownPeople = (caller: Caller, addresses: readonly string[]) => Promise<KnownPerson[]>;

const mostLookedUp = 20;
const mostMails = 50;
const atOnce = 5;
const headers = ["To", "Cc", "Bcc"];

interface KnownPeopleDeps extends CallDeps<GmailClient> {
  readonly contacts: Contacts;
  /** Which accounts these are: a simulated one vouches for nobody real. */
  readonly source: string;
}

/** Found once, somebody stays known: later Bron's own mail to them may hide what the owner wrote. */
export function createKnownPeople({ contacts, source, ...parts }: KnownPeopleDeps): KnownPeople {
  const peopleIn = async (caller: Caller, ids: readonly string[]) => {
    const read = await Promise.all(
      ids.map((id) =>
        readFromGoogle(parts, caller, ({ gmail }, options) =>
          gmail.users.messages.get(
            { userId: "me", id, format: "metadata", metadataHeaders: [...headers, markHeader] },
            options,
          ),
        ),
      ),
    );
    // What Bron sent, a model addressed: only what the owner wrote by hand tells whom they know, and by which name.
    const own = read.filter(
      ({ payload }) =>
        payload?.headers?.some(({ name }) => name?.toLowerCase() === markHeader.toLowerCase()) !==
        true,
    );
    const { addressParser } = await import("postal-mime");
    return own
      .flatMap(({ payload }) => headersOf(payload))
      .flatMap((value) => addressParser(value).flatMap((one) => one.group ?? [one]));
  };
  /** Newest first, and further back only as long as there is nothing but Bron's own. */
  const lookUp = async (caller: Caller, address: string): Promise<KnownPerson[]> => {
    // Search also finds names that look like the address: only the headers tell.
    const { messages = [] } = await readFromGoogle(parts, caller, ({ gmail }, options) =>
      gmail.users.messages.list(
        { userId: "me", q: `in:sent to:${address}`, maxResults: mostMails },
        options,
      ),
    );
    const ids = messages.flatMap(({ id }) => id ?? []);
    for (let at = 0; at < ids.length; at += atOnce) {
      const found = (await peopleIn(caller, ids.slice(at, at + atOnce))).filter(
        (one) => one.address !== undefined && normaliseAddress(one.address) === address,
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
    const wanted = [...new Set(addresses.map(normaliseAddress))].slice(0, mostLookedUp);
    const remembered = await contacts.find(caller.ownerId, source, wanted);
    const missing = wanted.filter((address) => !remembered.some((one) => one.address === address));
    try {
      const found = (await Promise.all(missing.map((address) => lookUp(caller, address)))).flat();
      await contacts.remember(caller.ownerId, source, found);
      return [
        ...remembered.map(({ address, names }) => ({ address, names: [...names] })),
        ...found,
      ];
    } catch (error) {
      // Whom nobody can vouch for is asked about.
      if (BronError.is(error) && !isOutage(error)) return [];
      throw error;
    }
  };
}

function headersOf(payload: gmail_v1.Schema$MessagePart | undefined): string[] {
  return (payload?.headers ?? []).flatMap(({ name, value }) =>
    value && headers.some((one) => one.toLowerCase() === name?.toLowerCase()) ? [value] : [],
  );
}

export function toRecipient(
  text: string,
  role: Recipient["role"],
  known: readonly KnownPerson[],
): Recipient {
  const address = normaliseAddress(text);
  const person = known.find((one) => one.address === address);
  return { address: text, role, ...(person ? { known: { names: person.names } } : {}) };
}
