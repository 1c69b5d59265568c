import { BronError } from "@bron/core";
import { afterEach, describe, expect, it } from "vitest";
import { openCalendarBench, owner, type CalendarBench } from "./calendar-bench.fixture.ts";
import {
  insertEvent,
  patchEvent,
  planInsert,
  planUpdate,
  reconcileInsert,
  reconcilePatch,
} from "./change-events.ts";
import { createInput, updateInput } from "./event-input.ts";

const zone = "Europe/Berlin";
const single = {
  id: "call",
  etag: '"1"',
  iCalUID: "call@google.com",
  summary: "Call",
  start: { dateTime: "2031-05-05T09:00:00+02:00", timeZone: zone },
  end: { dateTime: "2031-05-05T10:00:00+02:00", timeZone: zone },
  organizer: { email: owner, self: true },
  attendees: [{ email: "eva@x.example" }],
};
const series = { ...single, recurrence: ["RRULE:FREQ=WEEKLY"] };
const occurrence = (id: string) => ({
  id,
  etag: `"${id}"`,
  recurringEventId: "call",
  status: "cancelled",
  originalStartTime: series.start,
});
const refusal = new BronError("effect_not_done", "Not approved");

describe("a change of the calendar, request by request", () => {
  let bench: CalendarBench;
  let accessRole = "owner";
  afterEach(async () => {
    accessRole = "owner";
    await bench.close();
  });

  const methods = () => bench.asked.map((one) => (one === "approval" ? one : one.method));
  async function open(
    event: object,
    pages: readonly (readonly object[])[] = [[]],
    change: { status?: number; body: unknown } = { body: event },
  ) {
    bench = await openCalendarBench(({ method, path, query }) => {
      if (method !== "GET") return change;
      if (path !== "events") return { body: event };
      const page = Number(query["pageToken"] ?? 0);
      return {
        body: {
          timeZone: zone,
          accessRole,
          items: query["iCalUID"] === undefined ? [] : [event, ...(pages[page] ?? [])],
          ...(page + 1 < pages.length && query["iCalUID"] !== undefined
            ? { nextPageToken: String(page + 1) }
            : {}),
        },
      };
    });
  }
  const planned = async (wish: Record<string, unknown> = {}) =>
    (
      await planUpdate(
        bench.parts,
        updateInput.parse({ eventId: "call", location: "There", ...wish }),
        bench.context(),
      )
    ).prepared;
  const plannedNew = async (wish: Record<string, unknown> = {}) =>
    (
      await planInsert(
        bench.parts,
        createInput.parse({
          summary: "New",
          start: "2031-05-05",
          guests: ["eva@x.example"],
          ...wish,
        }),
        bench.context(),
      )
    ).prepared;

  it("X1 leaves only after its approval was proved", async () => {
    await open(single);
    const [update, insert] = [await planned(), await plannedNew()];
    bench.asked.length = 0;
    await patchEvent(bench.parts, update, bench.context());
    await insertEvent(bench.parts, insert, bench.context());
    expect(methods()).toEqual(["approval", "PATCH", "approval", "POST"]);
    bench.asked.length = 0;
    await expect(patchEvent(bench.parts, update, bench.context(refusal))).rejects.toBe(refusal);
    await expect(insertEvent(bench.parts, insert, bench.context(refusal))).rejects.toBe(refusal);
    expect(methods()).toEqual(["approval", "approval"]);
  });

  it("RT13 is refused for a calendar that can only be read, before anybody is asked", async () => {
    await open(single);
    for (const role of [
      "writer",
      "writerWithoutPrivateAccess",
      "reader",
      "freeBusyReader",
      "none",
    ]) {
      accessRole = role;
      const plans = await Promise.allSettled([planned(), plannedNew()]);
      if (role.startsWith("writer"))
        expect(plans).toMatchObject([{ status: "fulfilled" }, { status: "fulfilled" }]);
      else
        for (const plan of plans)
          expect(plan).toMatchObject({
            reason: { code: "forbidden", message: expect.stringContaining("can only be read") },
          });
    }
    expect(bench.asked.at(-1)).toMatchObject({ query: { fields: "timeZone,accessRole" } });
  });

  it("X1 is not done in another account than it was approved for", async () => {
    await open(single);
    const [update, insert] = [await planned(), await plannedNew()];
    bench.asked.length = 0;
    bench.reconnect("jonas@lindqvist.example");
    const context = bench.context();
    for (const change of [
      () => patchEvent(bench.parts, update, context),
      () => insertEvent(bench.parts, insert, context),
      () => reconcilePatch(bench.parts, update, context),
      () => reconcileInsert(bench.parts, insert, context),
    ]) {
      await expect(change()).rejects.toMatchObject({
        code: "effect_not_done",
        message: expect.stringContaining(`approved for ${owner}`),
      });
    }
    expect(methods()).toEqual(["approval", "approval"]);
  });

  it.each([
    [true, "all"],
    [false, "none"],
  ])(
    "X1 writes to guests only as it was shown, and only over the event as it was shown: %s",
    async (notifyGuests, sendUpdates) => {
      await open(single);
      const [update, insert] = [
        await planned({ notifyGuests }),
        await plannedNew({ notifyGuests }),
      ];
      await patchEvent(bench.parts, update, bench.context());
      await insertEvent(bench.parts, insert, bench.context());
      expect(bench.asked.filter((one) => one !== "approval" && one.method !== "GET")).toMatchObject(
        [
          { method: "PATCH", path: "events/call", ifMatch: '"1"', query: { sendUpdates } },
          { method: "POST", query: { sendUpdates } },
        ],
      );
    },
  );

  it("X1 of a series looks at its occurrences, page by page, right before it leaves", async () => {
    const pages = [[occurrence("call_1")], [occurrence("call_2")]];
    await open(series, pages);
    const update = await planned();
    expect(update.occurrences.map(({ eventId }) => eventId)).toEqual(["call_1", "call_2"]);
    bench.asked.length = 0;
    await patchEvent(bench.parts, update, bench.context());
    expect(methods()).toEqual(["GET", "GET", "approval", "PATCH"]);
    pages[1] = [{ ...occurrence("call_2"), etag: '"changed"' }];
    bench.asked.length = 0;
    await expect(patchEvent(bench.parts, update, bench.context())).rejects.toMatchObject({
      code: "effect_not_done",
      details: { changed: true },
    });
    pages[1] = [occurrence("call_3")];
    await expect(patchEvent(bench.parts, update, bench.context())).rejects.toMatchObject({
      details: { changed: true },
    });
    pages.splice(1);
    await expect(patchEvent(bench.parts, update, bench.context())).rejects.toMatchObject({
      details: { changed: true },
    });
    expect(methods()).not.toContain("PATCH");
    expect(methods()).not.toContain("approval");
  });

  it("X2 of a series that cannot be looked at has not happened, and can be tried again", async () => {
    await open(series);
    const update = await planned();
    await bench.close();
    bench = await openCalendarBench(() => ({ status: 500, body: {} }));
    await expect(patchEvent(bench.parts, update, bench.context())).rejects.toMatchObject({
      code: "effect_not_done",
      retryable: true,
    });
    expect(methods()).toEqual(["GET", "GET", "GET", "GET"]);
  });

  it("BR20 of a series waits for the account when Google no longer accepts it", async () => {
    await open(series);
    const update = await planned();
    const gone = new BronError("missing_credentials", "Connect it again");
    const parts = { ...bench.parts, accounts: { access: () => Promise.reject(gone) } };
    await expect(patchEvent(parts, update, bench.context())).rejects.toBe(gone);
  });

  it("X1 of a series does not mind the order of its occurrences, nor those of others", async () => {
    const other = { ...occurrence("other_1"), recurringEventId: "other" };
    const pages = [[occurrence("call_2"), other, occurrence("call_1")]];
    await open(series, pages);
    const update = await planned();
    expect(update.occurrences.map(({ eventId }) => eventId)).toEqual(["call_1", "call_2"]);
    pages[0] = [occurrence("call_1"), { ...other, etag: '"changed"' }, occurrence("call_2")];
    expect(await patchEvent(bench.parts, update, bench.context())).toMatchObject({
      eventId: "call",
    });
  });

  it("X2 that shows only later is found all the same, as often as it is looked for", async () => {
    await open(single);
    const [update, insert] = [await planned(), await plannedNew()];
    await bench.close();
    let looks = 0;
    const marked = { ...single, extendedProperties: { private: { [`bron${update.mark}`]: "1" } } };
    bench = await openCalendarBench(() =>
      ++looks % 2 === 1 ? { status: 404, body: {} } : { body: marked },
    );
    expect(await reconcileInsert(bench.parts, insert, bench.context())).toMatchObject({
      state: "done",
    });
    expect(await reconcilePatch(bench.parts, update, bench.context())).toMatchObject({
      state: "done",
    });
    expect(methods()).toEqual(["GET", "GET", "GET", "GET"]);
  });

  it("X2 that was entered already is found, and is no second one", async () => {
    await open(single, [[]], {
      status: 409,
      body: { error: { code: 409, message: "The requested identifier already exists." } },
    });
    const insert = await plannedNew();
    expect(await insertEvent(bench.parts, insert, bench.context())).toMatchObject({
      eventId: "call",
    });
  });

  it("X2 of somebody else in between is told apart from our own", async () => {
    await open(single, [[]], {
      status: 412,
      body: { error: { code: 412, message: "Precondition Failed" } },
    });
    const update = await planned();
    await expect(patchEvent(bench.parts, update, bench.context())).rejects.toMatchObject({
      details: { changed: true },
    });
    expect(await reconcilePatch(bench.parts, update, bench.context())).toEqual({
      state: "not_done",
    });
    await bench.close();
    await open(
      { ...single, extendedProperties: { private: { [`bron${update.mark}`]: "1" } } },
      [[]],
      { status: 412, body: {} },
    );
    expect(await patchEvent(bench.parts, update, bench.context())).toMatchObject({
      eventId: "call",
    });
  });
});
