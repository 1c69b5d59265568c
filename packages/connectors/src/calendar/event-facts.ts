import { hostsIn, type EffectFacts } from "@bron/core";
import type { JsonObject, JsonValue } from "@bron/protocol";
import { toRecipient, type KnownPerson } from "../google/known-people.ts";

interface Shown extends JsonObject {
  account: string;
  guests: string[];
  known: KnownPerson[];
  event: JsonObject;
}

/** Whom and what a change of the calendar reaches, by its prepared form. */
export function eventFacts({ account, guests, known, event }: Shown): EffectFacts {
  const words = ["summary", "description", "location"].map((name) => event[name]).filter((text): text is string & JsonValue => typeof text === "string");
  return { kind: "event", account, recipients: guests.map((guest) => toRecipient(guest, "guest", known)), hosts: hostsIn(words.join("\n")), attachments: [], warnings: [] };
}
