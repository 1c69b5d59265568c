import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { calendar, type calendar_v3 } from "@googleapis/calendar";
import { createClient, failureOf, signIn, withSimulator } from "../google-client.fixture.ts";
import type { Simulator } from "../start-simulator.ts";
import {
  calendarOf,
  fullScope,
  jonas,
  mara,
  meeting,
  primary,
  refusalOf,
  withCalendar,
} from "./calendar-client.fixture.ts";

const lastCall = (simulator: Simulator, method: string) =>
  simulator.record().calls.findLast((call) => call.method === method);

describe("the record", () => {
  test("lists each change with its author, call and result", () =>
    withCalendar(async (client, simulator) => {
      await client.events.insert({
        ...primary,
        sendUpdates: "all",
        requestBody: meeting({ id: "recorded1", attendees: [{ email: jonas }] }),
      });
      simulator.control.changeEvent({ account: mara, sendUpdates: "all" }, "recorded1", {
        summary: "By hand",
      });
      await client.events.delete({ ...primary, eventId: "recorded1" });
      const insert = lastCall(simulator, "calendar.events.insert");
      expect(insert).toMatchObject({
        verb: "POST",
        account: mara,
        status: 200,
        effects: [`inserted event recorded1 of ${mara}`, `mailed ${jonas} about event recorded1`],
      });
      expect(simulator.record().calendar).toMatchObject([
        {
          call: insert?.seq,
          by: "app",
          account: mara,
          calendarId: mara,
          eventId: "recorded1",
          kind: "inserted",
          event: { summary: "Planning", status: "confirmed" },
          notified: [jonas],
        },
        {
          by: "owner",
          kind: "patched",
          event: { summary: "By hand", sequence: 1 },
          notified: [jonas],
        },
        {
          call: lastCall(simulator, "calendar.events.delete")?.seq,
          by: "app",
          kind: "deleted",
          event: { status: "cancelled" },
          notified: [],
        },
      ]);
      expect(simulator.record().calendar[1]).not.toHaveProperty("call");
    }));

  test("omits refused changes", () =>
    withCalendar(async (client, simulator) => {
      await failureOf(client.events.insert({ ...primary, requestBody: meeting({ id: "Bad" }) }));
      await failureOf(client.events.patch({ ...primary, eventId: "missing1", requestBody: {} }));
      expect(simulator.record().calendar).toEqual([]);
      expect(lastCall(simulator, "calendar.events.insert")).toMatchObject({
        status: 400,
        effects: [],
      });
    }));
});

describe("a fault", () => {
  const insert = "calendar.events.insert";
  async function insertUnder(
    client: calendar_v3.Calendar,
    simulator: Simulator,
    rule: Parameters<Simulator["faults"]["add"]>[0],
  ) {
    simulator.faults.add({ method: insert, ...rule });
    const { response } = await failureOf(
      client.events.insert({ ...primary, requestBody: meeting({ id: "faulti1" }) }),
    );
    return {
      status: response?.status,
      count: simulator.record().calendar.length,
      call: lastCall(simulator, insert),
    };
  }

  test.each([400, 401, 403, 404, 409, 410, 412, 429, 500, 503] as const)(
    "of status %s before the effect leaves nothing behind",
    (status) =>
      withCalendar(async (client, simulator) => {
        expect(await insertUnder(client, simulator, { kind: "status", status })).toMatchObject({
          status,
          count: 0,
          call: { status, effects: [] },
        });
        expect(
          (await refusalOf(client.events.get({ ...primary, eventId: "faulti1" }))).status,
        ).toBe(404);
      }),
  );

  test("after the effect reports an error although the event exists: a retry conflicts", () =>
    withCalendar(async (client, simulator) => {
      expect(
        await insertUnder(client, simulator, { kind: "status", status: 500, when: "after" }),
      ).toMatchObject({
        status: 500,
        count: 1,
        call: { effects: [`inserted event faulti1 of ${mara}`] },
      });
      expect(
        await refusalOf(
          client.events.insert({ ...primary, requestBody: meeting({ id: "faulti1" }) }),
        ),
      ).toMatchObject({ status: 409, reason: "duplicate" });
      expect((await client.events.get({ ...primary, eventId: "faulti1" })).data.summary).toBe(
        "Planning",
      );
    }));

  test.each([
    ["before", 0],
    ["after", 1],
  ] as const)("that cuts the connection %s the effect leaves %s events", (when, count) =>
    withCalendar(async (client, simulator) => {
      expect(await insertUnder(client, simulator, { kind: "cut", when })).toMatchObject({
        status: undefined,
        count,
        call: { ending: "cut" },
      });
    }),
  );

  test("freezes any method until released", () =>
    withCalendar(async (client, simulator) => {
      await client.events.insert({ ...primary, requestBody: meeting({ id: "frosen1" }) });
      for (const [method, call] of [
        [
          "calendar.events.patch",
          () =>
            client.events.patch({ ...primary, eventId: "frosen1", requestBody: { summary: "x" } }),
        ],
        ["calendar.events.list", () => client.events.list(primary)],
        [
          "calendar.freebusy.query",
          () =>
            client.freebusy.query({
              requestBody: { timeMin: "2027-01-01T00:00:00Z", timeMax: "2027-01-02T00:00:00Z" },
            }),
        ],
        ["calendar.events.delete", () => client.events.delete({ ...primary, eventId: "frosen1" })],
      ] as const) {
        simulator.faults.add({ method, kind: "frozen", when: "after" });
        const calling = call();
        await expect.poll(() => simulator.faults.frozen()).toBe(1);
        simulator.faults.release();
        await calling;
      }
      expect(simulator.record().calendar.map(({ kind }) => kind)).toEqual([
        "inserted",
        "patched",
        "deleted",
      ]);
    }));
});

describe("control over HTTP", () => {
  test("creates, changes and deletes events as the owner", () =>
    withCalendar(
      async (client, simulator) => {
        const post = async (name: string, body: unknown) =>
          fetch(`${simulator.url}/_control/${name}`, {
            method: "POST",
            headers: { "x-control-key": "key" },
            body: JSON.stringify(body),
          });
        expect(
          await (
            await post("events/create", { account: mara, event: meeting({ id: "bihand1" }) })
          ).json(),
        ).toMatchObject({ event: { id: "bihand1" } });
        expect(
          await (
            await post("events/change", {
              account: mara,
              eventId: "bihand1",
              change: { summary: "Changed" },
            })
          ).json(),
        ).toMatchObject({ event: { summary: "Changed" } });
        expect((await client.events.get({ ...primary, eventId: "bihand1" })).data.summary).toBe(
          "Changed",
        );
        expect((await post("events/delete", { account: mara, eventId: "bihand1" })).status).toBe(
          200,
        );
        expect((await post("events/delete", { account: mara, eventId: "bihand1" })).status).toBe(
          410,
        );
        expect(
          (await post("events/create", { account: "nobody@outside.example", event: meeting() }))
            .status,
        ).toBe(400);
        expect(simulator.record().calendar.map(({ by, kind }) => [by, kind])).toEqual([
          ["owner", "inserted"],
          ["owner", "patched"],
          ["owner", "deleted"],
        ]);
      },
      { controlKey: "key" },
    ));
});

describe("a simulator with a folder", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "bron-world-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test("keeps events, copies, exceptions, record and sync tokens after a restart", async () => {
    const before = await withSimulator({ folder }, async (simulator) => {
      const { auth } = await signIn(simulator, { scopes: [fullScope] });
      const client = calendar({ version: "v3", auth, rootUrl: simulator.googleEndpoints.rootUrl });
      const token =
        (await client.events.list({ ...primary, maxResults: 2500 })).data.nextSyncToken ?? "";
      const berlin = (dateTime: string) => ({ dateTime, timeZone: "Europe/Berlin" });
      await client.events.insert({
        ...primary,
        sendUpdates: "all",
        requestBody: {
          id: "kept1",
          summary: "Kept",
          start: berlin("2027-01-12T09:00:00"),
          end: berlin("2027-01-12T10:00:00"),
          recurrence: ["RRULE:FREQ=WEEKLY"],
          attendees: [{ email: jonas }],
        },
      });
      await client.events.patch({
        ...primary,
        eventId: "kept1_20270119T080000Z",
        requestBody: { location: "Elsewhere" },
      });
      await client.events.delete({ ...primary, eventId: "kept1_20270126T080000Z" });
      return {
        credentials: auth.credentials,
        token,
        list: (await client.events.list(primary)).data,
        record: simulator.record().calendar,
      };
    });
    await withSimulator({ folder, seed: 99 }, async (simulator) => {
      const auth = createClient(simulator);
      auth.setCredentials(before.credentials);
      const client = calendar({ version: "v3", auth, rootUrl: simulator.googleEndpoints.rootUrl });
      expect((await client.events.list(primary)).data).toEqual(before.list);
      expect(simulator.record().calendar).toEqual(before.record);
      expect(
        (await client.events.list({ ...primary, syncToken: before.token })).data.items?.map(
          ({ id }) => id,
        ),
      ).toEqual(["kept1", "kept1_20270119T080000Z", "kept1_20270126T080000Z"]);
      const theirs = await calendarOf(simulator, { account: jonas });
      expect(
        (await theirs.events.get({ ...primary, eventId: "kept1_20270119T080000Z" })).data.location,
      ).toBe("Elsewhere");
    });
  });

  test("keeps acknowledged changes when killed", async () => {
    const program = `import { startSimulator } from ${JSON.stringify(new URL("../start-simulator.ts", import.meta.url).href)};
      const simulator = await startSimulator({ folder: ${JSON.stringify(folder)} });
      console.log(JSON.stringify({ url: simulator.url, clientId: simulator.clientId, clientSecret: simulator.clientSecret, accounts: simulator.accounts, googleEndpoints: simulator.googleEndpoints }));`;
    const child = spawn(
      process.execPath,
      ["--input-type=module", "--disable-warning=ExperimentalWarning", "-e", program],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    const client = await calendarOf(JSON.parse(line.toString()));
    const ids = Array.from({ length: 10 }, (_, at) => `killed${at}`);
    for (const id of ids)
      await client.events.insert({
        ...primary,
        requestBody: meeting({ id, attendees: [{ email: jonas }] }),
      });
    const last = client.events
      .insert({ ...primary, requestBody: meeting({ id: "last1" }) })
      .catch(() => undefined);
    child.kill("SIGKILL");
    await Promise.all([once(child, "exit"), last]);
    await withSimulator({ folder }, async (simulator) => {
      expect(
        simulator
          .record()
          .calendar.slice(0, 10)
          .map(({ eventId }) => eventId),
      ).toEqual(ids);
      const theirs = await calendarOf(simulator, { account: jonas });
      for (const eventId of ids)
        expect((await theirs.events.get({ ...primary, eventId })).data.status).toBe("confirmed");
    });
  });
});
