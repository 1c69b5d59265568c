import { contentValues, normalizeAddress, type ChangedField, type EffectFacts } from "@bron/core";
import { omitUndefined, type JsonObject } from "@bron/protocol";
import { hiddenGuests } from "./guests-affected.ts";
import { seriesId } from "./find-mention.ts";
import { isOwnCalendar } from "./own-calendar.ts";
import type { EventText } from "./text-of-others.ts";
import { toRecipient, type KnownPerson } from "../google/known-people.ts";

interface Shown extends JsonObject {
  account: string;
  calendarId: string;
  guests: string[];
  known: KnownPerson[];
  event: JsonObject;
}

interface ShownUpdate extends Shown {
  eventId: string;
  title?: string;
  viewers?: string[];
  existing?: EventText;
  asked: { addGuests: string[]; removeGuests?: string[] };
}

const fieldOf: Readonly<Record<string, ChangedField>> = {
  summary: "title",
  start: "time",
  end: "time",
  location: "location",
  description: "description",
  attendees: "guests",
  recurrence: "recurrence",
};

/**
 * The same for a change of an event, which the owner's words must mention. Only guests of the list are
 * there already and stay. A calendar that others share, the organizer of another person's event and hidden
 * guests are not, so the owner is asked about them.
 */
export function updateFacts(update: ShownUpdate): EffectFacts {
  const facts = eventFacts(update);
  const { asked, viewers = [], calendarId, existing = { texts: [] } } = update;
  // New guests read what the event says already.
  const words = existing.texts.join("\n");
  const content = contentValues(words);
  const absent = new Set(
    [...asked.addGuests, ...(asked.removeGuests ?? []), ...viewers, hiddenGuests, calendarId].map(
      normalizeAddress,
    ),
  );
  return {
    ...facts,
    hosts: [...new Set([...facts.hosts, ...content.hosts])],
    values: [...new Set([...(facts.values ?? []), ...content.values])],
    titles: [...(facts.titles ?? []), ...existing.texts],
    recipients: facts.recipients.map((recipient) => ({
      ...recipient,
      isPresent: !absent.has(normalizeAddress(recipient.address)),
    })),
    things: [{ kind: "event", id: seriesId(update.eventId), title: update.title ?? "" }],
    fields: [...new Set(Object.keys(update.event).flatMap((key) => fieldOf[key] ?? []))],
  };
}

/** Recipients and linked hosts of a prepared calendar change, for the policy. */
export function eventFacts({ account, calendarId, guests, known, event }: Shown): EffectFacts {
  // Everyone who shares another calendar sees what is added there.
  const calendar = isOwnCalendar({ account, calendarId }) ? [] : [calendarId];
  const words = ["summary", "description", "location"].flatMap((name) => textIn(event, name) ?? []);
  // The model chooses the names of guests, too.
  const names = guests.filter((guest) => guest.includes("<"));
  return {
    kind: "event",
    account,
    recipients: [...guests, ...calendar].map((guest) => toRecipient(guest, "guest", known)),
    ...contentValues([...words, ...names].join("\n")),
    ...omitUndefined({ text: textIn(event, "description") || undefined }),
    titles: ["summary", "location"].flatMap((name) => textIn(event, name) ?? []),
    otherTexts: names,
    attachments: [],
    warnings: [],
  };
}

function textIn(event: JsonObject, name: string): string | undefined {
  const text = event[name];
  return typeof text === "string" ? text : undefined;
}
