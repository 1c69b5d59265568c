import { afterEach, describe, expect, it } from "vitest";
import { openCalendarHarness, type CalendarHarness } from "./calendar-harness.fixture.ts";
import { findEventMention } from "./find-mention.ts";
import { prepareEvent } from "./prepared-event.ts";
import { createInput } from "./event-input.ts";

const input = createInput.parse({ summary: "New", start: "2031-05-05" });
const { prepared } = prepareEvent(input, { account: "me@x.example", zone: "Europe/Berlin" });

describe("the event that the owner's words mean", () => {
  let harness: CalendarHarness;
  afterEach(async () => {
    await harness.close();
  });

  async function find(pages: readonly (readonly object[])[], mention = "standup") {
    harness = await openCalendarHarness(({ query }) => {
      const page = Number(query["pageToken"] ?? 0);
      const more = page + 1 < pages.length ? { nextPageToken: String(page + 1) } : {};
      return { body: { items: pages[page] ?? [], ...more } };
    });
    const query = { kind: "event", words: mention } as const;
    return await findEventMention(harness.deps, query, prepared, harness.context());
  }
  const eventId = "4kq2v7c9m1o5s3t8u6a0b2d4e6";

  it("is the one whose id the owner typed", async () => {
    harness = await openCalendarHarness(({ path }) =>
      path === `events/${eventId}` || path === `events/${eventId}_20310505T100000Z`
        ? { body: { id: eventId, summary: "Anything" } }
        : path === "events"
          ? { body: { items: [] } }
          : { status: 404, body: {} },
    );
    const find = (words: string) =>
      findEventMention(harness.deps, { kind: "event", words }, prepared, harness.context());
    expect(await find(` ${eventId} `)).toEqual([eventId]);
    expect(await find(`event ${eventId}_20310505T100000Z`)).toEqual([eventId]);
    expect(await find("4kq2v7c9m1o5s3t8u6a0b2d4e7")).toEqual([]);
  });

  it("X3 is not clear if a title has the typed id of another event", async () => {
    harness = await openCalendarHarness(({ path }) => ({
      body: path === "events" ? { items: [event("other", eventId)] } : { id: eventId },
    }));
    const query = { kind: "event", words: eventId } as const;
    expect(await findEventMention(harness.deps, query, prepared, harness.context())).toEqual([
      eventId,
      "other",
    ]);
  });

  it("is not looked up by a word of a title", async () => {
    expect(await find([[event("one")]], "standup")).toEqual(["one"]);
    expect(harness.asked).toMatchObject([{ path: "events" }]);
  });

  const event = (id: string, summary = "Team standup") => ({ id, summary });
  const occurrence = (at: number) => ({ ...event(`s_${at}`), recurringEventId: "s" });

  it("is a series, however many occurrences it has", async () => {
    const days = Array.from({ length: 300 }, (_, at) => occurrence(at));
    expect(await find([days.slice(0, 250), days.slice(250)])).toEqual(["s"]);
  });

  it("X3 can be on a later page", async () => {
    expect(await find([[event("one")], [], [event("two")]])).toEqual(["one", "two"]);
  });

  it("X3 is not clear if there are more pages than are read", async () => {
    const [first, ...others] = await find(Array.from({ length: 9 }, () => [event("one")]));
    expect(first).toBe("one");
    expect(others).toHaveLength(1);
    expect(harness.asked).toHaveLength(4);
  });
});

describe("the people of an event that the owner's words mean", () => {
  const known = ["jonas@lindqvist.example", "priya@lindqvist.example"];
  const own = { organizer: { self: true } };
  const guests = (...emails: string[]) => ({
    attendees: [
      { email: "me@x.example", self: true },
      ...emails.map((email) => ({ email })),
      { email: "room@x.example", resource: true },
    ],
  });
  const standup = {
    id: "one",
    summary: "Team standup",
    ...own,
    ...guests("Jonas@lindqvist.example", "eve@evil.example"),
  };

  async function find(
    events: readonly { readonly id: string; readonly [field: string]: unknown }[],
    query: { means?: "everyone" | "same_people"; mails?: string[]; events?: string[] } = {},
  ) {
    const harness = await openCalendarHarness(({ path }) =>
      path === "events"
        ? { body: { items: events } }
        : { body: events.find(({ id }) => path === `events/${id}`) },
    );
    const knownPeople = async (_: unknown, addresses: readonly string[]) =>
      addresses.filter((one) => known.includes(one)).map((address) => ({ address, names: [] }));
    try {
      return await findEventMention(
        { ...harness.deps, knownPeople },
        { words: "the same", means: "same_people", mails: [], events: ["standup"], ...query },
        prepared,
        harness.context(),
      );
    } finally {
      await harness.close();
    }
  }

  it("X3 are its guests to whom the owner has written", async () => {
    expect(await find([standup])).toEqual(["jonas@lindqvist.example"]);
    expect(await find([standup], { means: "everyone" })).toEqual(["jonas@lindqvist.example"]);
  });

  it("X3 are nobody if someone else organizes it, or hides its guests", async () => {
    expect(await find([{ ...standup, organizer: {} }])).toEqual([]);
    expect(await find([{ ...standup, attendeesOmitted: true }])).toEqual([]);
  });

  it("X3 are nobody if two events have that name, also one of a stranger", async () => {
    expect(await find([standup, { ...standup, id: "two" }])).toEqual([]);
    expect(await find([standup, { ...standup, id: "two", organizer: {} }])).toEqual([]);
    expect(await find([])).toEqual([]);
  });

  it("X3 are nobody if the words mention two events, or an email too", async () => {
    expect(await find([standup], { events: ["standup", "lunch"] })).toEqual([]);
    expect(await find([standup], { events: [] })).toEqual([]);
    expect(await find([standup], { mails: ["the offer"] })).toEqual([]);
  });
});
