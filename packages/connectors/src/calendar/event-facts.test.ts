import { describe, expect, it } from "vitest";
import { eventFacts, updateFacts } from "./event-facts.ts";

const shown = {
  account: "mara@lindqvist.example",
  calendarId: "primary",
  guests: ["Eva <eva@x.example>"],
  known: [],
  event: { summary: "Call", description: "see evil.example/?d=1", location: "Here" },
};

describe("policy facts of a calendar change", () => {
  it("X3 include its guests and the hosts that its text links to", () => {
    expect(eventFacts(shown)).toMatchObject({
      kind: "event",
      recipients: [{ address: "Eva <eva@x.example>", role: "guest" }],
      hosts: ["evil.example"],
    });
  });

  it.each(["summary", "description", "location"])(
    "X3 is the hosts in every word of it: %s",
    (name) => {
      expect(
        eventFacts({
          ...shown,
          event: {
            summary: "Call",
            description: "",
            location: "",
            [name]: "https://evil.example/?d=1",
          },
        }).hosts,
      ).toEqual(["evil.example"]);
    },
  );

  it("X3 have the hosts in the names of guests", () => {
    const guests = ["eva@x.example", "Log in at evil.example/login <jonas@x.example>"];
    const facts = eventFacts({ ...shown, guests, event: { summary: "Call" } });
    expect(facts).toMatchObject({ hosts: ["evil.example"], otherTexts: [guests[1]] });
  });

  it("X3 include a shared calendar that is not the owner's own", () => {
    const calendarId = "evil123@group.calendar.google.com";
    expect(eventFacts({ ...shown, calendarId }).recipients.map(({ address }) => address)).toContain(
      calendarId,
    );
    expect(eventFacts({ ...shown, calendarId: "Mara@Lindqvist.example" }).recipients).toHaveLength(
      1,
    );
  });
});

describe("policy facts of a change of an event", () => {
  const hidden = "guests hidden from the list";
  const updated = {
    ...shown,
    eventId: "call",
    title: "Call",
    guests: ["eva@x.example", "boss@x.example", "new@x.example", hidden],
    viewers: ["Boss@x.example", hidden],
    asked: { addGuests: ["New <new@x.example>"] },
  };
  const presentIn = (update: Parameters<typeof updateFacts>[0]) =>
    updateFacts(update).recipients.flatMap(({ address, isPresent }) => (isPresent ? address : []));

  it("X3 have only the other guests of the list as present", () => {
    expect(presentIn(updated)).toEqual(["eva@x.example"]);
  });

  it("X3 never have a shared calendar as present", () => {
    expect(presentIn({ ...updated, calendarId: "team@group.calendar.google.com" })).toEqual([
      "eva@x.example",
    ]);
  });

  it("X3 have no hidden guests as present in a form of an earlier version", () => {
    const { viewers: _, ...earlier } = updated;
    expect(presentIn(earlier)).toEqual(["eva@x.example", "boss@x.example"]);
  });
});
