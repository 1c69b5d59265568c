import { linkedHosts, normalizeAddress, type EffectFacts } from "@bron/core";
import type { JsonObject, JsonValue } from "@bron/protocol";
import { toRecipient, type KnownPerson } from "../google/known-people.ts";

interface Shown extends JsonObject {
  account: string;
  calendarId: string;
  guests: string[];
  known: KnownPerson[];
  event: JsonObject;
}

/** Recipients and linked hosts of a prepared calendar change, for the policy. */
export function eventFacts({ account, calendarId, guests, known, event }: Shown): EffectFacts {
  // Everyone who shares another calendar sees what is added there.
  const calendar =
    calendarId === "primary" || normalizeAddress(calendarId) === normalizeAddress(account)
      ? []
      : [calendarId];
  const words = ["summary", "description", "location"]
    .map((name) => event[name])
    .filter((text): text is string & JsonValue => typeof text === "string");
  return {
    kind: "event",
    account,
    recipients: [...guests, ...calendar].map((guest) => toRecipient(guest, "guest", known)),
    hosts: linkedHosts(words.join("\n")),
    attachments: [],
    warnings: [],
  };
}
