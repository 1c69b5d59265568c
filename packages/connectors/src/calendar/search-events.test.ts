import { afterEach, describe, expect, it } from "vitest";
import { openCalendarHarness, type CalendarHarness } from "./calendar-harness.fixture.ts";
import { searchInput } from "./event-input.ts";
import { searchEvents } from "./search-events.ts";

describe("a calendar search", () => {
  let harness: CalendarHarness;
  afterEach(async () => await harness.close());

  async function search(input: Record<string, unknown>, listing: object = {}) {
    harness = await openCalendarHarness(() => ({
      body: { timeZone: "Europe/Berlin", items: [], ...listing },
    }));
    const output = await searchEvents(harness.deps, searchInput.parse(input), harness.context());
    const asked = harness.asked.at(-1);
    return { output, query: asked === undefined || asked === "approval" ? {} : asked.query };
  }

  it("RT9 without a query shows two weeks from today", async () => {
    expect((await search({})).query).toMatchObject({
      timeMin: "2031-05-05T00:00:00+02:00",
      timeMax: "2031-05-19T00:00:00+02:00",
      singleEvents: "true",
      orderBy: "startTime",
    });
  });

  it("RT9 with a query covers three months back and a year ahead", async () => {
    expect((await search({ query: "fair" })).query).toMatchObject({
      q: "fair",
      timeMin: "2031-02-04T00:00:00+01:00",
      timeMax: "2032-05-05T00:00:00+02:00",
    });
  });

  it("RT9 stays within the given period", async () => {
    expect((await search({ query: "fair", from: "2031-06-01" })).query).toMatchObject({
      timeMin: "2031-06-01T00:00:00+02:00",
      timeMax: "2031-06-15T00:00:00+02:00",
    });
    await harness.close();
    expect(
      (await search({ from: "2031-06-01T09:00", to: "2031-06-03", timeZone: "Asia/Tokyo" })).query,
    ).toMatchObject({
      timeMin: "2031-06-01T09:00:00+09:00",
      timeMax: "2031-06-04T00:00:00+09:00",
      timeZone: "Asia/Tokyo",
    });
    await harness.close();
    expect((await search({ query: "fair", to: "2031-05-06" })).query).toMatchObject({
      timeMin: "2031-05-05T00:00:00+02:00",
    });
  });

  it("RT13 rejects a period that ends before it starts", async () => {
    await expect(search({ from: "2031-06-03", to: "2031-06-01" })).rejects.toThrow(
      "end must be after the start",
    );
    await harness.close();
    await expect(search({ from: "2031-06-03T09:00", to: "2031-06-03T09:00" })).rejects.toThrow(
      "end must be after the start",
    );
  });

  it("RT9 says whether there is more, and continues there", async () => {
    expect((await search({}, { nextPageToken: "next" })).output).toMatchObject({
      more: true,
      nextPage: "next",
      hint: expect.stringContaining("Pass nextPage as page"),
    });
    await harness.close();
    const { output, query } = await search({ page: "next" });
    expect(query).toMatchObject({ pageToken: "next" });
    expect(output).toMatchObject({ more: false, found: 0 });
    expect(output).not.toHaveProperty("nextPage");
  });
});
