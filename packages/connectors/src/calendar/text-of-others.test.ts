import type { calendar_v3 } from "@googleapis/calendar";
import { afterEach, describe, expect, it } from "vitest";
import { openCalendarHarness, owner, type CalendarHarness } from "./calendar-harness.fixture.ts";
import { planUpdate } from "./change-events.ts";
import { updateFacts } from "./event-facts.ts";
import { updateInput } from "./event-input.ts";
import { planEditedUpdate } from "./plan-edited.ts";

type Event = calendar_v3.Schema$Event;

const byHand: Event = {
  id: "lunch",
  etag: '"1"',
  summary: "Team lunch",
  location: "https://menu.example/today",
  description: "Pay to DE89370400440532013000 or ask accounts@evil.example",
  start: { dateTime: "2031-05-05T12:00:00+02:00" },
  end: { dateTime: "2031-05-05T13:00:00+02:00" },
  organizer: { email: owner, self: true },
  creator: { email: owner, self: true },
  attendees: [{ email: "eva@x.example" }],
};
const theirs: Event = { ...byHand, guestsCanModify: true };
const jonas = { addGuests: ["jonas@lindqvist.example"] };

describe("the text of an event to which people are invited", () => {
  let harness: CalendarHarness;
  afterEach(async () => {
    await harness.close();
  });

  async function plan(event: Event, input: object) {
    harness = await openCalendarHarness(({ path }) => ({
      body: path.includes("lunch") ? event : { accessRole: "owner", timeZone: "Europe/Berlin" },
    }));
    const change = updateInput.parse({ eventId: "lunch", ...input });
    return await planUpdate(harness.deps, change, harness.context());
  }

  const ofOthers: readonly [string, Event][] = [
    ["guests may change it", theirs],
    ["another person organizes it", { ...theirs, organizer: { email: "boss@x.example" } }],
    ["another person entered it", { ...byHand, creator: { email: "boss@x.example" } }],
    ["Google made it from a mail", { ...byHand, eventType: "fromGmail" }],
    [
      "Bron made or changed it",
      { ...byHand, extendedProperties: { private: { [`bron${"a".repeat(32)}`]: "1" } } },
    ],
  ];

  it.each(ofOthers)("X3 leaves and is labeled as read if %s", async (_, event) => {
    const { prepared, reads } = await plan(event, jonas);
    expect(updateFacts(prepared)).toMatchObject({
      hosts: expect.arrayContaining(["menu.example"]),
      values: expect.arrayContaining(["DE89370400440532013000", "accounts@evil.example"]),
      titles: expect.arrayContaining(["Team lunch", byHand.location, byHand.description]),
    });
    expect(reads?.results).toMatchObject([
      {
        label: {
          origin: "calendar",
          trusted: false,
          parts: [{ item: { kind: "event", title: "Team lunch" } }],
        },
        value: { texts: ["Team lunch", byHand.location, byHand.description] },
      },
    ]);
  });

  it("X3 is the owner's if only they can have written it", async () => {
    const { prepared, reads } = await plan(byHand, jonas);
    expect(reads).toBeUndefined();
    expect(updateFacts(prepared)).toMatchObject({ hosts: [], titles: [] });
  });

  it("X3 does not leave with another change, or if the change replaces it", async () => {
    const { reads, prepared } = await plan(theirs, { start: "2031-05-06T12:00" });
    expect([reads, prepared.existing]).toEqual([undefined, undefined]);
    await harness.close();
    const replaced = await plan(theirs, { ...jonas, location: "", description: "Bring cake" });
    expect(replaced.prepared.existing).toEqual({ texts: ["Team lunch"] });
  });

  it("X3 includes links beside the text, but not Google's own video call", async () => {
    const entryPoints = [{ uri: "https://call.example/1" }];
    const event: Event = {
      ...theirs,
      attachments: [{ title: "Menu", fileUrl: "https://files.example/menu" }],
      source: { url: "https://source.example/" },
      conferenceData: { entryPoints },
    };
    expect(updateFacts((await plan(event, jonas)).prepared).hosts.toSorted()).toEqual([
      "call.example",
      "files.example",
      "menu.example",
      "source.example",
    ]);
    await harness.close();
    const key = { type: "hangoutsMeet" };
    const meet = { ...event, conferenceData: { entryPoints, conferenceSolution: { key } } };
    expect(updateFacts((await plan(meet, jonas)).prepared).hosts).not.toContain("call.example");
  });

  it("X3 is labeled if the owner adds a guest in an edit", async () => {
    const { prepared } = await plan(theirs, { start: "2031-05-06T12:00" });
    const guests = ["eva@x.example", ...jonas.addGuests];
    const edited = await planEditedUpdate(harness.deps, prepared, { guests }, harness.context());
    expect(edited.reads?.results).toHaveLength(1);
  });

  it("X1 is in the preview", async () => {
    const { preview } = await plan(byHand, jonas);
    expect(preview).toContain("\nWhere: https://menu.example/today\n");
    expect(preview).toContain("\nDescription, which new guests can read:");
    expect(preview).toContain(byHand.description);
    await harness.close();
    expect((await plan(byHand, { start: "2031-05-06T12:00" })).preview).not.toContain("Where:");
  });
});
