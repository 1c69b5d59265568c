import type { calendar_v3 } from "@googleapis/calendar";
import { describe, expect, it } from "vitest";
import { guestsAffected, type Attendee } from "./guests-affected.ts";

const [eva, ben, self] = [
  { email: "eva@x.example" },
  { email: "ben@x.example" },
  { email: "mara@lindqvist.example", self: true },
];
const theirs = { email: "boss@x.example" };
const hidden = "guests hidden from the list";

type Event = calendar_v3.Schema$Event;
const cases: readonly [string, Event, Attendee[] | undefined, Event[], string[]][] = [
  ["no guests for an event without them", {}, undefined, [], []],
  ["the guests, without the owner", { attendees: [self, eva] }, undefined, [], [eva.email]],
  ["a guest who is added", { attendees: [eva] }, [eva, ben], [], [eva.email, ben.email]],
  ["a guest who is removed", { attendees: [eva, ben] }, [eva], [], [eva.email, ben.email]],
  [
    "guests of a single occurrence",
    { attendees: [eva] },
    undefined,
    [{ attendees: [ben, eva] }, {}],
    [eva.email, ben.email],
  ],
  ["an organizer who is not the owner", { organizer: theirs }, undefined, [], [theirs.email]],
  ["not the owner as organizer", { organizer: { ...theirs, self: true } }, undefined, [], []],
  ["guests whom Google left out", { attendeesOmitted: true }, undefined, [], [hidden]],
  [
    "guests whom the organizer hides",
    { organizer: theirs, guestsCanSeeOtherGuests: false },
    undefined,
    [],
    [theirs.email, hidden],
  ],
];

describe("guestsAffected", () => {
  it.each(cases)("lists %s", (_, event, attendees, occurrences, guests) => {
    expect(guestsAffected(event, attendees, occurrences)).toEqual(guests);
  });
});
