import PostalMime from "postal-mime";
import { describe, expect, test } from "vitest";
import type { calendar_v3 } from "@googleapis/calendar";
import { signIn } from "../google-client.fixture.ts";
import type { Simulator } from "../start-simulator.ts";
import {
  calendarOf,
  jonas,
  mara,
  meeting,
  primary,
  refusalOf,
  withCalendar,
} from "./calendar-client.fixture.ts";

const eva = "eva@outside.example";
const invited = (id: string, change: calendar_v3.Schema$Event = {}) =>
  meeting({
    id,
    attendees: [
      { email: jonas, displayName: "Jonas Keller" },
      { email: eva, optional: true },
    ],
    ...change,
  });

/** The latest invitation emails, read by an independent parser. */
async function lastMails(simulator: Simulator, count: number) {
  const invitations = simulator
    .record()
    .calendar.flatMap((change) => change.invitations)
    .slice(-count);
  return Promise.all(
    invitations.map(async ({ raw, ...invitation }) => {
      const mail = await PostalMime.parse(Buffer.from(raw, "base64"));
      const [ics] = mail.attachments.filter(({ filename }) => filename === "invite.ics");
      const content =
        typeof ics?.content === "string" ? ics.content : new TextDecoder().decode(ics?.content);
      return {
        ...invitation,
        mail,
        ics: content.replace(/\r\n|\n/g, "\n").replaceAll("\n ", ""),
        raw: Buffer.from(raw, "base64").toString(),
      };
    }),
  );
}

describe("guests", () => {
  test("have not responded yet, and local guests have the event in their calendar under the same id", () =>
    withCalendar(async (client, simulator) => {
      const { data } = await client.events.insert({
        ...primary,
        requestBody: invited("guests1", {
          attendees: [
            { email: mara, responseStatus: "accepted" },
            { email: jonas },
            { email: eva },
          ],
          extendedProperties: { private: { mark: "17" } },
        }),
      });
      expect(data.attendees).toEqual([
        { email: mara, organizer: true, self: true, responseStatus: "accepted" },
        { email: jonas, responseStatus: "needsAction" },
        { email: eva, responseStatus: "needsAction" },
      ]);
      const theirs = (
        await (
          await calendarOf(simulator, { account: jonas })
        ).events.get({ ...primary, eventId: "guests1" })
      ).data;
      expect(theirs).toMatchObject({
        iCalUID: data.iCalUID,
        summary: "Planning",
        organizer: { email: mara },
      });
      expect(theirs.organizer).not.toHaveProperty("self");
      expect(theirs.attendees?.map(({ email, self }) => [email, self])).toEqual([
        [mara, undefined],
        [jonas, true],
        [eva, undefined],
      ]);
      expect(theirs).not.toHaveProperty("extendedProperties");
    }));

  test("respond in their own copy, visible to the organizer", () =>
    withCalendar(async (client, simulator) => {
      await client.events.insert({ ...primary, requestBody: invited("guests2") });
      const theirs = await calendarOf(simulator, { account: jonas });
      const response = (responseStatus: string) =>
        theirs.events.patch({
          ...primary,
          eventId: "guests2",
          sendUpdates: "all",
          requestBody: {
            attendees: [
              { email: jonas, displayName: "Jonas Keller", responseStatus },
              { email: eva, optional: true, responseStatus: "needsAction" },
            ],
          },
        });
      await response("tentative");
      const seen = async () => (await client.events.get({ ...primary, eventId: "guests2" })).data;
      expect((await seen()).attendees?.[0]).toMatchObject({
        email: jonas,
        responseStatus: "tentative",
      });
      expect((await seen()).sequence).toBe(0);
      const [reply] = await lastMails(simulator, 1);
      expect(reply).toMatchObject({
        to: mara,
        method: "REPLY",
        isOutside: false,
        subject: expect.stringContaining("Tentatively Accepted: Planning @"),
      });
      expect(reply?.ics).toMatch(/ATTENDEE;.*PARTSTAT=TENTATIVE.*jonas/);
      expect(
        await refusalOf(
          theirs.events.patch({
            ...primary,
            eventId: "guests2",
            requestBody: { summary: "Mine now" },
          }),
        ),
      ).toMatchObject({ status: 403, reason: "forbiddenForNonOrganizer" });
      await theirs.events.delete({ ...primary, eventId: "guests2" });
      expect(await seen()).toMatchObject({
        status: "confirmed",
        attendees: [{ email: jonas, responseStatus: "declined" }, { email: eva }],
      });
      await client.events.patch({
        ...primary,
        eventId: "guests2",
        requestBody: { summary: "Changed" },
      });
      expect((await theirs.events.get({ ...primary, eventId: "guests2" })).data.status).toBe(
        "cancelled",
      );
    }));

  test("lose the event when they are removed or it is deleted", () =>
    withCalendar(async (client, simulator) => {
      const theirs = await calendarOf(simulator, { account: jonas });
      const status = async (eventId: string) =>
        (await theirs.events.get({ ...primary, eventId })).data.status;
      await client.events.insert({ ...primary, requestBody: invited("guests3") });
      await client.events.patch({
        ...primary,
        eventId: "guests3",
        requestBody: { attendees: [{ email: eva }] },
      });
      expect(await status("guests3")).toBe("cancelled");
      await client.events.insert({ ...primary, requestBody: invited("guests4") });
      await client.events.delete({ ...primary, eventId: "guests4" });
      expect(await status("guests4")).toBe("cancelled");
    }));
});

describe("mail to guests", () => {
  test("is sent only on request, and only to external guests if requested", () =>
    withCalendar(async (client, simulator) => {
      const notified = () => simulator.record().calendar.at(-1)?.notified;
      await client.events.insert({ ...primary, requestBody: invited("mailed1") });
      expect(notified()).toEqual([]);
      await client.events.insert({
        ...primary,
        sendUpdates: "none",
        requestBody: invited("mailed2"),
      });
      expect(notified()).toEqual([]);
      await client.events.insert({
        ...primary,
        sendUpdates: "externalOnly",
        requestBody: invited("mailed3"),
      });
      expect(notified()).toEqual([eva]);
      await client.events.insert({
        ...primary,
        sendUpdates: "all",
        requestBody: invited("mailed4"),
      });
      expect(notified()).toEqual([jonas, eva]);
      await client.events.insert({
        ...primary,
        sendNotifications: true,
        requestBody: invited("mailed5"),
      });
      expect(notified()).toEqual([jonas, eva]);
      expect(
        await refusalOf(
          client.events.insert({
            ...primary,
            sendUpdates: "some",
            requestBody: invited("mailed6"),
          }),
        ),
      ).toMatchObject({ status: 400 });
    }));

  test("carries the event as a calendar part and as a file", () =>
    withCalendar(async (client, simulator) => {
      await client.events.insert({
        ...primary,
        sendUpdates: "all",
        requestBody: invited("mailed7", {
          summary: "Übergabe, Teil 1; schön",
          description: "Erste Zeile\nzweite",
          location: "Halle 2",
        }),
      });
      const [toJonas, toEva] = await lastMails(simulator, 2);
      expect([toJonas?.isOutside, toEva?.isOutside]).toEqual([false, true]);
      expect(toEva?.mail).toMatchObject({
        subject: `Invitation: Übergabe, Teil 1; schön @ Tue Jan 12, 2027 9am - 10am (GMT+1) (${eva})`,
        from: { address: mara, name: "Mara Lindqvist" },
        to: [{ address: eva }],
      });
      expect(toEva?.raw).toMatch(/Content-Type: text\/calendar; charset="UTF-8"; method=REQUEST/);
      const lines = toEva?.ics.split("\n") ?? [];
      for (const line of [
        "METHOD:REQUEST",
        "ORGANIZER;CN=Mara Lindqvist:mailto:mara@lindqvist.example",
        "DTSTART:20270112T080000Z",
        "DTEND:20270112T090000Z",
        "UID:mailed7@google.com",
        "SEQUENCE:0",
        "STATUS:CONFIRMED",
        "SUMMARY:Übergabe\\, Teil 1\\; schön",
        "DESCRIPTION:Erste Zeile\\nzweite",
        "LOCATION:Halle 2",
      ])
        expect(lines).toContain(line);
      expect(lines).toContain(
        "ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=OPT-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE;CN=eva@outside.example;X-NUM-GUESTS=0:mailto:eva@outside.example",
      );
      for (const line of toEva?.raw.split("\r\n") ?? [])
        expect(line.length).toBeLessThanOrEqual(998);

      const { gmail } = await signIn(simulator, { account: jonas });
      const found = (
        await gmail.users.messages.list({
          userId: "me",
          q: "from:mara subject:invitation filename:invite.ics in:inbox is:unread newer_than:1d",
        })
      ).data.messages;
      expect(found).toHaveLength(1);
      const message = (await gmail.users.messages.get({ userId: "me", id: found?.[0]?.id ?? "" }))
        .data;
      expect(message.payload?.parts?.[0]?.parts?.map(({ mimeType }) => mimeType)).toEqual([
        "text/plain",
        "text/html",
        "text/calendar",
      ]);
      expect(simulator.record().sent).toEqual([]);
    }));

  test("announces changes and cancellations with the next sequence, but no invisible changes", () =>
    withCalendar(async (client, simulator) => {
      await client.events.insert({
        ...primary,
        sendUpdates: "all",
        requestBody: invited("mailed8"),
      });
      const patch = (requestBody: calendar_v3.Schema$Event) =>
        client.events.patch({ ...primary, eventId: "mailed8", sendUpdates: "all", requestBody });
      await patch({ extendedProperties: { private: { mark: "1" } } });
      expect(simulator.record().calendar.at(-1)?.notified).toEqual([]);
      await patch({
        start: { dateTime: "2027-01-12T11:00:00+01:00" },
        end: { dateTime: "2027-01-12T12:00:00+01:00" },
      });
      const [update] = await lastMails(simulator, 2);
      expect(update).toMatchObject({
        method: "REQUEST",
        subject: expect.stringMatching(
          /^Updated invitation: Planning @ Tue Jan 12, 2027 11am - 12pm/,
        ),
      });
      expect(update?.ics).toContain("SEQUENCE:1\n");
      await patch({
        attendees: [
          { email: jonas, displayName: "Jonas Keller" },
          { email: "ada@outside.example" },
        ],
      });
      expect(
        simulator
          .record()
          .calendar.at(-1)
          ?.invitations.map(({ to, method }) => [to, method]),
      ).toEqual([
        ["ada@outside.example", "REQUEST"],
        [eva, "CANCEL"],
      ]);
      await client.events.delete({ ...primary, eventId: "mailed8", sendUpdates: "all" });
      const [cancel] = await lastMails(simulator, 2);
      expect(cancel).toMatchObject({
        to: jonas,
        method: "CANCEL",
        subject: expect.stringMatching(/^Canceled event: Planning @/),
      });
      expect(cancel?.ics).toMatch(/METHOD:CANCEL\n[\s\S]*SEQUENCE:2\nSTATUS:CANCELLED/);
    }));

  test("about a series includes its time zone, and about an instance its id", () =>
    withCalendar(async (client, simulator) => {
      const berlin = (dateTime: string) => ({ dateTime, timeZone: "Europe/Berlin" });
      await client.events.insert({
        ...primary,
        sendUpdates: "all",
        requestBody: invited("mailed9", {
          start: berlin("2027-01-12T09:00:00"),
          end: berlin("2027-01-12T10:00:00"),
          recurrence: ["RRULE:FREQ=WEEKLY"],
        }),
      });
      const [series] = await lastMails(simulator, 1);
      expect(series?.ics).toContain(
        "DTSTART;TZID=Europe/Berlin:20270112T090000\nDTEND;TZID=Europe/Berlin:20270112T100000\nRRULE:FREQ=WEEKLY\n",
      );
      expect(series?.ics).toContain(
        "BEGIN:DAYLIGHT\nTZOFFSETFROM:+0100\nTZOFFSETTO:+0200\nTZNAME:GMT+2\nDTSTART:20270328T020000\nEND:DAYLIGHT",
      );
      await client.events.delete({
        ...primary,
        eventId: "mailed9_20270330T070000Z",
        sendUpdates: "all",
      });
      const [cancel] = await lastMails(simulator, 1);
      expect(cancel?.ics).toContain("RECURRENCE-ID;TZID=Europe/Berlin:20270330T090000");
      expect(
        (
          await (
            await calendarOf(simulator, { account: jonas })
          ).events.get({ ...primary, eventId: "mailed9_20270330T070000Z" })
        ).data.status,
      ).toBe("cancelled");
    }));
});
