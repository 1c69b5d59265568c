import { hostsLeaving, normaliseAddress, type EffectFacts } from "@bron/core";
import type { JsonObject, JsonValue } from "@bron/protocol";
import { toRecipient, type KnownPerson } from "../google/known-people.ts";

interface Shown extends JsonObject {
  account: string;
  calendarId: string;
  guests: string[];
  known: KnownPerson[];
  event: JsonObject;
}

/** Whom and what a change of the calendar reaches, by its prepared form. */
export function eventFacts({ account, calendarId, guests, known, event }: Shown): EffectFacts {
  // Whoever shares another calendar sees what is entered there.
  const calendar =
    calendarId === "primary" || normaliseAddress(calendarId) === normaliseAddress(account)
      ? []
      : [calendarId];
  const words = ["summary", "description", "location"]
    .map((name) => event[name])
    .filter((text): text is string & JsonValue => typeof text === "string");
  return {
    kind: "event",
    account,
    recipients: [...guests, ...calendar].map((guest) => toRecipient(guest, "guest", known)),
    hosts: hostsLeaving(words.join("\n")),
    attachments: [],
    warnings: [],
  };
}
