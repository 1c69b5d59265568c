import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ToolCaller } from "./call-tool.ts";

export interface GoogleAccount {
  readonly account: string;
  readonly tools: ToolCaller;
  /** The same tools with a token that Google never issued. */
  readonly refused: ToolCaller;
  /** Calls the API directly, to clean up, and to act as the owner who changes something by hand. */
  api(method: string, path: string, body?: unknown): Promise<void>;
  close(): Promise<void>;
}

interface Event {
  readonly eventId: string;
  readonly start: string;
  readonly end: string;
}

const event = (name: string) => `/calendar/v3/calendars/primary/events/${name}`;
const draft = (id: string) => `/gmail/v1/users/me/drafts/${id}`;

/** What the tools promise for any Google account. Leaves nothing behind, and sends no mail. */
export function describeGoogle(name: string, open: () => Promise<GoogleAccount>): void {
  describe(`RT9 RT13 Gmail and Google Calendar: ${name}`, () => {
    let google: GoogleAccount;
    const cleanUps: (() => Promise<void>)[] = [];
    beforeAll(async () => {
      google = await open();
    });
    afterAll(async () => {
      for (const step of cleanUps) await step().catch(() => undefined);
      await google.close();
    });
    const createEvent = async (input: Record<string, unknown>) => {
      const call = await google.tools.prepare("calendar_event_create", input);
      const made = (await call.execute()) as unknown as Event;
      cleanUps.push(() => google.api("DELETE", event(made.eventId)));
      return { call, made };
    };

    it("finds mail, and reads a message and its conversation", async () => {
      const { matches } = (await google.tools.read("gmail_search", {
        query: "newer_than:2y",
        maxResults: 3,
      })) as unknown as { matches: { messageId: string; threadId: string; subject: string }[] };
      expect(matches.length).toBeGreaterThan(0);
      const [first] = matches;
      const message = await google.tools.read("gmail_message_read", {
        messageId: first?.messageId,
      });
      expect(message).toMatchObject({ messageId: first?.messageId, subject: first?.subject });
      const thread = (await google.tools.read("gmail_thread_read", {
        threadId: first?.threadId,
      })) as unknown as { messages: { messageId: string }[] };
      expect(thread.messages.map(({ messageId }) => messageId)).toContain(first?.messageId);
    });

    it("says not_found for a message that does not exist", async () => {
      await expect(
        google.tools.read("gmail_message_read", { messageId: "1000000000000000" }),
      ).rejects.toMatchObject({ code: "not_found" });
      await expect(
        google.tools.read("calendar_search", { calendarId: "nobody@bron-contract.invalid" }),
      ).rejects.toMatchObject({ code: "not_found" });
    });

    it("creates a draft once, finds it again by its marker, and replaces it", async () => {
      const subject = `Contract ${randomUUID()}`;
      const call = await google.tools.prepare("gmail_draft_create", {
        to: [google.account],
        subject,
        bodyText: "First",
      });
      expect(await call.reconcile()).toEqual({ state: "not_done" });
      const { draftId } = (await call.execute()) as { draftId: string };
      cleanUps.push(() => google.api("DELETE", draft(draftId)));
      expect(await call.execute(2)).toMatchObject({ draftId });
      expect(await call.reconcile(2)).toMatchObject({ state: "done", output: { draftId } });
      const update = await google.tools.prepare("gmail_draft_update", {
        draftId,
        to: [google.account],
        subject,
        bodyText: "Second",
      });
      expect(await update.execute()).toMatchObject({ draftId });
      expect(await update.reconcile()).toMatchObject({ state: "done" });
    });

    it("creates an event once however often it is requested, and finds it by time and words", async () => {
      const summary = `Contract ${randomUUID()}`;
      const { call, made } = await createEvent({
        summary,
        start: "2031-05-06T10:00",
        durationMinutes: 30,
        timeZone: "Europe/Berlin",
        location: "Here",
      });
      expect(await call.execute(2)).toMatchObject({ eventId: made.eventId });
      expect(await call.reconcile(2)).toMatchObject({
        state: "done",
        output: { eventId: made.eventId },
      });
      const found = (await google.tools.read("calendar_search", {
        from: "2031-05-06",
        to: "2031-05-06",
        timeZone: "Europe/Berlin",
      })) as unknown as { events: { eventId: string; summary: string; start: string }[] };
      expect(found.events.filter(({ summary: title }) => title === summary)).toMatchObject([
        { eventId: made.eventId, start: "2031-05-06T10:00:00+02:00" },
      ]);
    });

    it("finds events page by page, without gaps or duplicates", async () => {
      const summary = `Contract ${randomUUID()}`;
      await createEvent({
        summary,
        start: "2031-04-07T09:00",
        durationMinutes: 15,
        timeZone: "Europe/Berlin",
        recurrence: "FREQ=DAILY;COUNT=5",
      });
      const search = {
        query: summary,
        from: "2031-04-07",
        to: "2031-04-20",
        timeZone: "Europe/Berlin",
      };
      const read = async (more: object) =>
        (await google.tools.read("calendar_search", { ...search, ...more })) as unknown as {
          events: Event[];
          nextPage?: string;
        };
      const first = await read({ maxResults: 3 });
      const rest = await read({ maxResults: 3, page: first.nextPage });
      expect(first.events).toHaveLength(3);
      expect([...first.events, ...rest.events].map(({ eventId }) => eventId)).toEqual(
        (await read({})).events.map(({ eventId }) => eventId),
      );
      expect(rest.nextPage).toBeUndefined();
    });

    it("proves that an event was not created", async () => {
      const call = await google.tools.prepare("calendar_event_create", {
        summary: "Never",
        start: "2031-05-07",
      });
      expect(await call.reconcile()).toEqual({ state: "not_done" });
    });

    it("changes an event only as it was shown, and recognizes its own change", async () => {
      const { made } = await createEvent({
        summary: `Contract ${randomUUID()}`,
        start: "2031-05-08T10:00",
        durationMinutes: 30,
        timeZone: "Europe/Berlin",
      });
      const first = await google.tools.prepare("calendar_event_update", {
        eventId: made.eventId,
        location: "There",
      });
      const second = await google.tools.prepare("calendar_event_update", {
        eventId: made.eventId,
        location: "Elsewhere",
      });
      expect(await first.reconcile()).toEqual({ state: "not_done" });
      await first.execute();
      // Repeated after a lost response, it is the same change and not a conflict.
      expect(await first.execute(2)).toMatchObject({ eventId: made.eventId });
      expect(await first.reconcile(2)).toMatchObject({ state: "done" });
      await expect(second.execute()).rejects.toMatchObject({
        code: "effect_not_done",
        details: { changed: true },
      });
      expect(await second.reconcile(2)).toEqual({ state: "not_done" });
    });

    it("recognizes its own change under a later one", async () => {
      const { made } = await createEvent({
        summary: `Contract ${randomUUID()}`,
        start: "2031-05-08T12:00",
        durationMinutes: 30,
        timeZone: "Europe/Berlin",
      });
      const first = await google.tools.prepare("calendar_event_update", {
        eventId: made.eventId,
        location: "There",
      });
      await first.execute();
      const second = await google.tools.prepare("calendar_event_update", {
        eventId: made.eventId,
        location: "Elsewhere",
      });
      await second.execute();
      expect(await first.execute(2)).toMatchObject({ eventId: made.eventId });
      expect(await first.reconcile(2)).toMatchObject({ state: "done" });
      expect(await second.reconcile(2)).toMatchObject({ state: "done" });
    });

    it("does not change an event that the owner has changed or deleted since", async () => {
      const { made } = await createEvent({
        summary: `Contract ${randomUUID()}`,
        start: "2031-05-09T10:00",
        durationMinutes: 30,
        timeZone: "Europe/Berlin",
      });
      const update = await google.tools.prepare("calendar_event_update", {
        eventId: made.eventId,
        summary: "Ours",
      });
      await google.api("PATCH", event(made.eventId), { summary: "Theirs" });
      await expect(update.execute()).rejects.toMatchObject({ code: "effect_not_done" });
      await google.api("DELETE", event(made.eventId));
      await expect(
        google.tools.prepare("calendar_event_update", { eventId: made.eventId, summary: "Ours" }),
      ).rejects.toMatchObject({ code: "not_found" });
    });

    it("keeps the local hour of a weekly event when daylight saving time changes", async () => {
      const summary = `Contract ${randomUUID()}`;
      await createEvent({
        summary,
        start: "2031-03-24T09:00",
        durationMinutes: 30,
        timeZone: "Europe/Berlin",
        recurrence: "FREQ=WEEKLY;COUNT=3",
      });
      const { events } = (await google.tools.read("calendar_search", {
        from: "2031-03-24",
        to: "2031-04-08",
        timeZone: "Europe/Berlin",
      })) as unknown as { events: { summary: string; start: string }[] };
      expect(
        events.filter(({ summary: title }) => title === summary).map(({ start }) => start),
      ).toEqual([
        "2031-03-24T09:00:00+01:00",
        "2031-03-31T09:00:00+02:00",
        "2031-04-07T09:00:00+02:00",
      ]);
    });

    it.each([
      ["2031-09-01T09:00", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU;COUNT=5"],
      ["2031-09-02T23:30", "FREQ=DAILY;INTERVAL=2;UNTIL=20310908"],
      ["2031-09-03T09:00", "FREQ=WEEKLY;UNTIL=20310917T000000Z"],
      ["2031-08-31T09:00", "FREQ=MONTHLY;COUNT=3"],
      ["2031-09-04", "FREQ=WEEKLY;BYDAY=TH;UNTIL=20310918"],
      ["2031-09-08T09:00", "FREQ=MONTHLY;BYDAY=2MO;COUNT=3"],
      ["2031-08-29", "FREQ=MONTHLY;BYDAY=-1FR;COUNT=4"],
      ["2031-09-15T09:00", "FREQ=MONTHLY;BYMONTHDAY=15,-1;COUNT=4"],
      ["2031-10-01T09:00", "FREQ=YEARLY;BYMONTH=10,11,12;COUNT=3"],
      ["2031-08-29", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=4"],
      ["2031-09-07T09:00", "FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=SU,MO;COUNT=4"],
    ])("has exactly the dates that were shown: %s %s", async (start, recurrence) => {
      const summary = `Contract ${randomUUID()}`;
      const isDay = !start.includes("T");
      const { call } = await createEvent({
        summary,
        start,
        ...(isDay ? {} : { durationMinutes: 15 }),
        timeZone: "Europe/Berlin",
        recurrence,
      });
      const { events } = (await google.tools.read("calendar_search", {
        query: summary,
        from: "2031-08-25",
        to: "2032-02-01",
        timeZone: "Europe/Berlin",
      })) as unknown as { events: { start: string }[] };
      const words = new Intl.DateTimeFormat("en-US", {
        weekday: "short",
        day: "numeric",
        month: "short",
        year: "numeric",
        timeZone: "UTC",
      });
      const dates = events.map((one) => words.format(new Date(`${one.start.slice(0, 10)}T00:00Z`)));
      expect(call.preview).toContain(`Dates: ${dates.join("; ")} (${dates.length} total)`);
    });

    it("changes one occurrence alone, and no other", async () => {
      const summary = `Contract ${randomUUID()}`;
      await createEvent({
        summary,
        start: "2031-07-07T09:00",
        durationMinutes: 30,
        timeZone: "Europe/Berlin",
        recurrence: "FREQ=WEEKLY;COUNT=3",
      });
      const seen = async () =>
        (
          (await google.tools.read("calendar_search", {
            query: summary,
            from: "2031-07-07",
            to: "2031-07-22",
            timeZone: "Europe/Berlin",
          })) as unknown as { events: (Event & { location: string })[] }
        ).events;
      const [, second] = await seen();
      const change = await google.tools.prepare("calendar_event_update", {
        eventId: second?.eventId,
        start: "2031-07-15T16:00",
        location: "Room 4",
      });
      expect(change.preview).toContain("· only this event");
      expect(change.preview).not.toContain("Repeats:");
      expect(await change.reconcile()).toEqual({ state: "not_done" });
      await change.execute();
      expect(await change.execute(2)).toMatchObject({ eventId: second?.eventId });
      expect(await change.reconcile(2)).toMatchObject({ state: "done" });
      expect(
        (await seen()).map(({ start, end, location }) => [start, end.slice(11, 16), location]),
      ).toEqual([
        ["2031-07-07T09:00:00+02:00", "09:30", ""],
        ["2031-07-15T16:00:00+02:00", "16:30", "Room 4"],
        ["2031-07-21T09:00:00+02:00", "09:30", ""],
      ]);
    });

    it("keeps a canceled date canceled when the series moves to another hour", async () => {
      const summary = `Contract ${randomUUID()}`;
      const { made } = await createEvent({
        summary,
        start: "2031-01-06T09:00",
        durationMinutes: 30,
        timeZone: "Europe/Berlin",
        recurrence: "FREQ=WEEKLY;COUNT=4",
      });
      await google.api("PATCH", event(made.eventId), {
        recurrence: ["RRULE:FREQ=WEEKLY;COUNT=4", "EXDATE;TZID=Europe/Berlin:20310113T090000"],
      });
      const change = await google.tools.prepare("calendar_event_update", {
        eventId: made.eventId,
        start: "2031-01-06T10:00",
      });
      expect(change.preview).toContain(
        "Canceled: Mon, Jan 13, 2031\nDates: Mon, Jan 6, 2031; Mon, Jan 20, 2031; Mon, Jan 27, 2031 (3 total)",
      );
      await change.execute();
      const { events } = (await google.tools.read("calendar_search", {
        query: summary,
        from: "2031-01-06",
        to: "2031-01-31",
        timeZone: "Europe/Berlin",
      })) as unknown as { events: Event[] };
      expect(events.map(({ start }) => start.slice(0, 16))).toEqual([
        "2031-01-06T10:00",
        "2031-01-20T10:00",
        "2031-01-27T10:00",
      ]);
    });

    it("does not change a series after the owner changed one occurrence, and names the changes that would be lost", async () => {
      const summary = `Contract ${randomUUID()}`;
      const { made } = await createEvent({
        summary,
        start: "2031-06-02T09:00",
        durationMinutes: 30,
        timeZone: "Europe/Berlin",
        recurrence: "FREQ=WEEKLY;COUNT=3",
      });
      const week = { from: "2031-06-02", to: "2031-06-17", timeZone: "Europe/Berlin" };
      const seen = async () =>
        (
          (await google.tools.read("calendar_search", week)) as unknown as {
            events: (Event & { summary: string; location: string })[];
          }
        ).events.filter((one) => one.summary === summary);
      const [, second, third] = await seen();
      const early = await google.tools.prepare("calendar_event_update", {
        eventId: made.eventId,
        start: "2031-06-02T14:00",
      });
      expect(early.preview).not.toContain("by itself");
      const time = (hour: string) => ({
        dateTime: `2031-06-09T${hour}:00+02:00`,
        timeZone: "Europe/Berlin",
      });
      await google.api("PATCH", event(second?.eventId ?? ""), {
        start: time("16:00"),
        end: time("16:30"),
        location: "Room 4",
      });
      await expect(early.execute()).rejects.toMatchObject({
        code: "effect_not_done",
        details: { changed: true },
      });
      expect((await seen()).map(({ start, location }) => [start.slice(11, 16), location])).toEqual([
        ["09:00", ""],
        ["16:00", "Room 4"],
        ["09:00", ""],
      ]);
      const late = await google.tools.prepare("calendar_event_update", {
        eventId: made.eventId,
        start: "2031-06-02T14:00",
      });
      expect(late.preview).toContain(
        "Will be lost: 1 occurrence that was changed or canceled individually\n- Mon, Jun 9, 2031, 9:00 AM: Mon, Jun 9, 2031, 4:00–4:30 PM (Europe/Berlin, UTC+02:00)",
      );
      expect(late.preview).toContain("Room 4");
      await google.api("DELETE", event(third?.eventId ?? ""));
      await expect(late.execute()).rejects.toMatchObject({ code: "effect_not_done" });
      const last = await google.tools.prepare("calendar_event_update", {
        eventId: made.eventId,
        start: "2031-06-02T14:00",
      });
      expect(last.preview).toContain("- Mon, Jun 16, 2031, 9:00 AM: canceled");
      await last.execute();
      expect(await last.execute(2)).toMatchObject({ eventId: made.eventId });
      expect(await last.reconcile(2)).toMatchObject({ state: "done" });
    });

    it("asks to reconnect when Google no longer accepts the account", async () => {
      for (const tool of ["gmail_search", "calendar_search"])
        await expect(google.refused.read(tool, { query: "x" })).rejects.toMatchObject({
          code: "missing_credentials",
          details: { provider: "google" },
        });
    });
  });
}
