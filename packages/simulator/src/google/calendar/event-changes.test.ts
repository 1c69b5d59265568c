import { omitUndefined } from "@bron/protocol";
import { describe, expect, test } from "vitest";
import {
  anchor,
  jonas,
  mara,
  meeting,
  primary,
  refusalOf,
  withCalendar,
} from "./calendar-client.fixture.ts";

describe("an event", () => {
  test("has Google's fields", () =>
    withCalendar(async (client) => {
      const { data } = await client.events.insert({
        ...primary,
        requestBody: meeting({
          id: "bron0effect17",
          description: "Why",
          location: "Room 1",
          extendedProperties: { private: { mark: "17" }, shared: { open: "yes" } },
        }),
      });
      expect(data).toEqual({
        kind: "calendar#event",
        etag: expect.stringMatching(/^"\d{16}"$/),
        id: "bron0effect17",
        status: "confirmed",
        htmlLink: expect.stringContaining("https://calendar.google.example/event?eid="),
        created: anchor.toISOString(),
        updated: anchor.toISOString(),
        summary: "Planning",
        description: "Why",
        location: "Room 1",
        creator: { email: mara, self: true },
        organizer: { email: mara, self: true },
        start: { dateTime: "2027-01-12T09:00:00+01:00", timeZone: "Europe/Berlin" },
        end: { dateTime: "2027-01-12T10:00:00+01:00", timeZone: "Europe/Berlin" },
        iCalUID: "bron0effect17@google.com",
        sequence: 0,
        extendedProperties: { private: { mark: "17" }, shared: { open: "yes" } },
        reminders: { useDefault: true },
        eventType: "default",
      });
      expect((await client.events.get({ ...primary, eventId: "bron0effect17" })).data).toEqual(
        data,
      );
    }));

  test("without an id gets one of base32hex, and its times come in the zone that is asked for", () =>
    withCalendar(async (client) => {
      const { id } = (
        await client.events.insert({
          ...primary,
          requestBody: meeting({
            start: { dateTime: "2027-01-12T09:00:00", timeZone: "America/New_York" },
            end: { dateTime: "2027-01-12T10:00:00", timeZone: "America/New_York" },
          }),
        })
      ).data;
      expect(id).toMatch(/^[a-v0-9]{26}$/);
      const get = async (timeZone?: string) =>
        (await client.events.get({ ...primary, eventId: id ?? "", ...omitUndefined({ timeZone }) }))
          .data.start;
      expect(await get()).toEqual({
        dateTime: "2027-01-12T15:00:00+01:00",
        timeZone: "America/New_York",
      });
      expect(await get("UTC")).toEqual({
        dateTime: "2027-01-12T14:00:00Z",
        timeZone: "America/New_York",
      });
    }));

  test("keeps its id forever: rejects a duplicate even after deletion", () =>
    withCalendar(async (client) => {
      const insert = () =>
        client.events.insert({ ...primary, requestBody: meeting({ id: "single1time" }) });
      await insert();
      const refusal = {
        status: 409,
        reason: "duplicate",
        message: "The requested identifier already exists.",
      };
      expect(await refusalOf(insert())).toEqual(refusal);
      await client.events.delete({ ...primary, eventId: "single1time" });
      expect(await refusalOf(insert())).toEqual(refusal);
    }));

  test("that is deleted is returned as cancelled and omitted from lists", () =>
    withCalendar(async (client) => {
      await client.events.insert({ ...primary, requestBody: meeting({ id: "gone0soon" }) });
      const list = async (showDeleted: boolean) =>
        (
          await client.events.list({ ...primary, iCalUID: "gone0soon@google.com", showDeleted })
        ).data.items?.map(({ status }) => status);
      expect((await client.events.delete({ ...primary, eventId: "gone0soon" })).status).toBe(204);
      expect((await client.events.get({ ...primary, eventId: "gone0soon" })).data).toMatchObject({
        status: "cancelled",
        summary: "Planning",
      });
      expect(await list(false)).toEqual([]);
      expect(await list(true)).toEqual(["cancelled"]);
      expect(await refusalOf(client.events.delete({ ...primary, eventId: "gone0soon" }))).toEqual({
        status: 410,
        reason: "deleted",
        message: "Resource has been deleted",
      });
      expect(
        (
          await client.events.patch({
            ...primary,
            eventId: "gone0soon",
            requestBody: { status: "confirmed" },
          })
        ).data.status,
      ).toBe("confirmed");
      expect(await list(false)).toEqual(["confirmed"]);
    }));
});

describe("a patch", () => {
  test("keeps absent fields, removes null fields, merges objects and replaces lists", () =>
    withCalendar(async (client) => {
      const requestBody = meeting({
        id: "patched1",
        description: "Why",
        location: "Room 1",
        attendees: [{ email: "eva@outside.example" }, { email: "ada@outside.example" }],
        extendedProperties: { private: { one: "1", two: "2" } },
      });
      await client.events.insert({ ...primary, requestBody });
      const { data } = await client.events.patch({
        ...primary,
        eventId: "patched1",
        requestBody: {
          location: null,
          attendees: [{ email: "ada@outside.example", responseStatus: "accepted" }],
          extendedProperties: { private: { two: "zwei" } },
        },
      });
      expect(data).toMatchObject({
        summary: "Planning",
        description: "Why",
        attendees: [{ email: "ada@outside.example", responseStatus: "accepted" }],
        extendedProperties: { private: { one: "1", two: "zwei" } },
        sequence: 1,
      });
      expect(data.attendees).toHaveLength(1);
      expect(data).not.toHaveProperty("location");
    }));

  test("moves an event in its own zone, and turns hours into days only when it takes the hours away", () =>
    withCalendar(async (client) => {
      await client.events.insert({ ...primary, requestBody: meeting({ id: "moved1" }) });
      const patch = (requestBody: object) =>
        client.events.patch({ ...primary, eventId: "moved1", requestBody });
      expect(
        (
          await patch({
            start: { dateTime: "2027-07-12T09:00:00" },
            end: { dateTime: "2027-07-12T10:00:00" },
          })
        ).data.start,
      ).toEqual({ dateTime: "2027-07-12T09:00:00+02:00", timeZone: "Europe/Berlin" });
      expect(
        (await refusalOf(patch({ start: { date: "2027-07-12" }, end: { date: "2027-07-13" } })))
          .status,
      ).toBe(400);
      expect(
        (
          await patch({
            start: { date: "2027-07-12", dateTime: null, timeZone: null },
            end: { date: "2027-07-13", dateTime: null, timeZone: null },
          })
        ).data,
      ).toMatchObject({ start: { date: "2027-07-12" }, end: { date: "2027-07-13" } });
    }));

  test("of reminders alone changes the ETag, not the time of the last change", () => {
    let now = anchor;
    return withCalendar(
      async (client) => {
        const before = (
          await client.events.insert({ ...primary, requestBody: meeting({ id: "reminded1" }) })
        ).data;
        now = new Date(anchor.getTime() + 60_000);
        const after = (
          await client.events.patch({
            ...primary,
            eventId: "reminded1",
            requestBody: {
              reminders: { useDefault: false, overrides: [{ method: "popup", minutes: 5 }] },
            },
          })
        ).data;
        expect(after).toMatchObject({
          updated: before.updated,
          sequence: 0,
          reminders: { useDefault: false },
        });
        expect(after.etag).not.toBe(before.etag);
      },
      { now: () => now },
    );
  });
});

describe("an update", () => {
  test("replaces the entire event and rejects an old sequence", () =>
    withCalendar(async (client) => {
      await client.events.insert({
        ...primary,
        requestBody: meeting({ id: "entire1", description: "Why", attendees: [{ email: jonas }] }),
      });
      const { data } = await client.events.update({
        ...primary,
        eventId: "entire1",
        requestBody: meeting({ summary: "Other" }),
      });
      expect(data).toMatchObject({ summary: "Other", sequence: 1, iCalUID: "entire1@google.com" });
      expect(data).not.toHaveProperty("description");
      expect(data).not.toHaveProperty("attendees");
      expect(
        await refusalOf(
          client.events.update({
            ...primary,
            eventId: "entire1",
            requestBody: meeting({ sequence: 0 }),
          }),
        ),
      ).toMatchObject({ status: 400, reason: "invalid" });
    }));
});

describe("If-Match", () => {
  test("accepts an unchanged event and rejects a changed one", () =>
    withCalendar(async (client, simulator) => {
      const first = (
        await client.events.insert({ ...primary, requestBody: meeting({ id: "matched1" }) })
      ).data;
      const under = (etag: string | null | undefined) => ({ headers: { "If-Match": etag ?? "" } });
      const second = (
        await client.events.patch(
          { ...primary, eventId: "matched1", requestBody: { summary: "Two" } },
          under(first.etag),
        )
      ).data;
      expect(second.etag).not.toBe(first.etag);
      const refusal = { status: 412, reason: "conditionNotMet", message: "Precondition Failed" };
      expect(
        await refusalOf(
          client.events.patch(
            { ...primary, eventId: "matched1", requestBody: { summary: "Three" } },
            under(first.etag),
          ),
        ),
      ).toEqual(refusal);
      expect(
        await refusalOf(
          client.events.update(
            { ...primary, eventId: "matched1", requestBody: meeting() },
            under(first.etag),
          ),
        ),
      ).toEqual(refusal);
      simulator.control.changeEvent({ account: mara }, "matched1", { summary: "By hand" });
      expect(
        await refusalOf(
          client.events.delete({ ...primary, eventId: "matched1" }, under(second.etag)),
        ),
      ).toEqual(refusal);
      expect((await client.events.get({ ...primary, eventId: "matched1" })).data.summary).toBe(
        "By hand",
      );
      await client.events.delete({ ...primary, eventId: "matched1" }, under("*"));
    }));
});
