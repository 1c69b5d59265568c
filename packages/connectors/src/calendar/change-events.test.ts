import { BronError } from "@bron/core";
import { afterEach, describe, expect, it } from "vitest";
import { openCalendarHarness, owner, type CalendarHarness } from "./calendar-harness.fixture.ts";
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

describe("calendar changes, request by request", () => {
  let harness: CalendarHarness;
  let accessRole = "owner";
  afterEach(async () => {
    accessRole = "owner";
    await harness.close();
  });

  const methods = () => harness.asked.map((one) => (one === "approval" ? one : one.method));
  async function open(
    event: object,
    pages: readonly (readonly object[])[] = [[]],
    change: { status?: number; body: unknown } = { body: event },
  ) {
    harness = await openCalendarHarness(({ method, path, query }) => {
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
  const planned = async (input: Record<string, unknown> = {}) =>
    (
      await planUpdate(
        harness.deps,
        updateInput.parse({ eventId: "call", location: "There", ...input }),
        harness.context(),
      )
    ).prepared;
  const plannedNew = async (input: Record<string, unknown> = {}) =>
    (
      await planInsert(
        harness.deps,
        createInput.parse({
          summary: "New",
          start: "2031-05-05",
          guests: ["eva@x.example"],
          ...input,
        }),
        harness.context(),
      )
    ).prepared;

  it("X1 are sent only after the approval check", async () => {
    await open(single);
    const [update, insert] = [await planned(), await plannedNew()];
    harness.asked.length = 0;
    await patchEvent(harness.deps, update, harness.context());
    await insertEvent(harness.deps, insert, harness.context());
    expect(methods()).toEqual(["approval", "PATCH", "approval", "POST"]);
    harness.asked.length = 0;
    await expect(patchEvent(harness.deps, update, harness.context(refusal))).rejects.toBe(refusal);
    await expect(insertEvent(harness.deps, insert, harness.context(refusal))).rejects.toBe(refusal);
    expect(methods()).toEqual(["approval", "approval"]);
  });

  it("RT13 are rejected for a read-only calendar before the owner is asked", async () => {
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
            reason: { code: "forbidden", message: expect.stringContaining("can only read") },
          });
    }
    expect(harness.asked.at(-1)).toMatchObject({ query: { fields: "timeZone,accessRole" } });
  });

  it("X1 are not made in an account other than the approved one", async () => {
    await open(single);
    const [update, insert] = [await planned(), await plannedNew()];
    harness.asked.length = 0;
    harness.reconnect("jonas@lindqvist.example");
    const context = harness.context();
    for (const change of [
      () => patchEvent(harness.deps, update, context),
      () => insertEvent(harness.deps, insert, context),
      () => reconcilePatch(harness.deps, update, context),
      () => reconcileInsert(harness.deps, insert, context),
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
    "X1 notify guests as shown and only change the event that was shown: %s",
    async (notifyGuests, sendUpdates) => {
      await open(single);
      const [update, insert] = [
        await planned({ notifyGuests }),
        await plannedNew({ notifyGuests }),
      ];
      await patchEvent(harness.deps, update, harness.context());
      await insertEvent(harness.deps, insert, harness.context());
      expect(
        harness.asked.filter((one) => one !== "approval" && one.method !== "GET"),
      ).toMatchObject([
        { method: "PATCH", path: "events/call", ifMatch: '"1"', query: { sendUpdates } },
        { method: "POST", query: { sendUpdates } },
      ]);
    },
  );

  it("X1 to a series check its occurrences, page by page, right before the request", async () => {
    const pages = [[occurrence("call_1")], [occurrence("call_2")]];
    await open(series, pages);
    const update = await planned();
    expect(update.occurrences.map(({ eventId }) => eventId)).toEqual(["call_1", "call_2"]);
    harness.asked.length = 0;
    await patchEvent(harness.deps, update, harness.context());
    expect(methods()).toEqual(["GET", "GET", "approval", "PATCH"]);
    pages[1] = [{ ...occurrence("call_2"), etag: '"changed"' }];
    harness.asked.length = 0;
    await expect(patchEvent(harness.deps, update, harness.context())).rejects.toMatchObject({
      code: "effect_not_done",
      details: { changed: true },
    });
    pages[1] = [occurrence("call_3")];
    await expect(patchEvent(harness.deps, update, harness.context())).rejects.toMatchObject({
      details: { changed: true },
    });
    pages.splice(1);
    await expect(patchEvent(harness.deps, update, harness.context())).rejects.toMatchObject({
      details: { changed: true },
    });
    expect(methods()).not.toContain("PATCH");
    expect(methods()).not.toContain("approval");
  });

  it("X2 to a series that cannot be read are not done and can be retried", async () => {
    await open(series);
    const update = await planned();
    await harness.close();
    harness = await openCalendarHarness(() => ({ status: 500, body: {} }));
    await expect(patchEvent(harness.deps, update, harness.context())).rejects.toMatchObject({
      code: "effect_not_done",
      retryable: true,
    });
    expect(methods()).toEqual(["GET", "GET", "GET", "GET"]);
  });

  it("BR20 to a series wait for a new connection when Google no longer accepts it", async () => {
    await open(series);
    const update = await planned();
    const gone = new BronError("missing_credentials", "Connect it again");
    const deps = { ...harness.deps, accounts: { access: () => Promise.reject(gone) } };
    await expect(patchEvent(deps, update, harness.context())).rejects.toBe(gone);
  });

  it("X1 to a series ignore the order of its occurrences and those of other series", async () => {
    const other = { ...occurrence("other_1"), recurringEventId: "other" };
    const pages = [[occurrence("call_2"), other, occurrence("call_1")]];
    await open(series, pages);
    const update = await planned();
    expect(update.occurrences.map(({ eventId }) => eventId)).toEqual(["call_1", "call_2"]);
    pages[0] = [occurrence("call_1"), { ...other, etag: '"changed"' }, occurrence("call_2")];
    expect(await patchEvent(harness.deps, update, harness.context())).toMatchObject({
      eventId: "call",
    });
  });

  it("X2 that appear late are found by repeated searches", async () => {
    await open(single);
    const [update, insert] = [await planned(), await plannedNew()];
    await harness.close();
    let looks = 0;
    const marked = { ...single, extendedProperties: { private: { [`bron${update.mark}`]: "1" } } };
    harness = await openCalendarHarness(() =>
      ++looks % 2 === 1 ? { status: 404, body: {} } : { body: marked },
    );
    expect(await reconcileInsert(harness.deps, insert, harness.context())).toMatchObject({
      state: "done",
    });
    expect(await reconcilePatch(harness.deps, update, harness.context())).toMatchObject({
      state: "done",
    });
    expect(methods()).toEqual(["GET", "GET", "GET", "GET"]);
  });

  it("X2 that were already made are found and not repeated", async () => {
    await open(single, [[]], {
      status: 409,
      body: { error: { code: 409, message: "The requested identifier already exists." } },
    });
    const insert = await plannedNew();
    expect(await insertEvent(harness.deps, insert, harness.context())).toMatchObject({
      eventId: "call",
    });
  });

  it("X2 made by others in between are distinguished from our own", async () => {
    await open(single, [[]], {
      status: 412,
      body: { error: { code: 412, message: "Precondition Failed" } },
    });
    const update = await planned();
    await expect(patchEvent(harness.deps, update, harness.context())).rejects.toMatchObject({
      details: { changed: true },
    });
    expect(await reconcilePatch(harness.deps, update, harness.context())).toEqual({
      state: "not_done",
    });
    await harness.close();
    await open(
      { ...single, extendedProperties: { private: { [`bron${update.mark}`]: "1" } } },
      [[]],
      { status: 412, body: {} },
    );
    expect(await patchEvent(harness.deps, update, harness.context())).toMatchObject({
      eventId: "call",
    });
  });
});
