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
