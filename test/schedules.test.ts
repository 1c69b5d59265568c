import { nextTimes, type NewSchedule, type Schedule } from "@bron/core";
import { memoryStore } from "@bron/memory-store";
import { defaultCaps } from "@bron/protocol";
import { createPostgresStore, migrate, openDatabase, type OpenDatabase } from "@bron/store";
import { isFullSuite } from "@bron/testing";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "./support/test-database.ts";

const newSchedule = (extra: Partial<NewSchedule> = {}): NewSchedule => ({
  id: randomUUID(),
  title: "Summary",
  prompt: "Summarize my unread mail",
  isProposed: false,
  kind: "cron",
  expression: "30 2 * * *",
  zone: "Europe/Berlin",
  watch: null,
  missed: "once",
  overlap: "skip",
  endAt: null,
  trustLevel: null,
  caps: {},
  ...extra,
});

const expressions = ["30 2 * * *", "0 0 * * *", "15 1 * * *", "0 8 * * 1-5"];
/** Each has another rule for summer time: by 30 minutes, at midnight, in the south, in the north. */
const zones = ["Europe/Berlin", "America/Santiago", "Australia/Lord_Howe", "America/New_York"];

describe("BR27 schedules over the changes to and from summer time", () => {
  it.each(
    zones.flatMap((zone) =>
      (isFullSuite ? expressions : expressions.slice(0, 1)).map((expression) => ({
        zone,
        expression,
      })),
    ),
  )("starts exactly one run on each day: $expression in $zone", async ({ zone, expression }) => {
    let now = Date.parse("2026-01-01T12:00:00Z");
    const end = Date.parse("2027-01-01T12:00:00Z");
    const store = memoryStore({ now: () => now, limits: { maxRuns: 1_000 } });
    await store.schedules.create("owner", newSchedule({ zone, expression, overlap: "skip" }));
    const dayOf = new Intl.DateTimeFormat("en-CA", { timeZone: zone });
    const weekdayOf = new Intl.DateTimeFormat("en", { timeZone: zone, weekday: "short" });
    const expected = new Set<string>();
    for (let time = now; time <= end; time += 3_600_000)
      if (expression !== "0 8 * * 1-5" || !weekdayOf.format(time).startsWith("S"))
        expected.add(dayOf.format(time));
    const started: string[] = [];
    while (now < end) {
      // The sweep at the next due time, and one more that must find nothing.
      const { nextAt } = (await store.schedules.list("owner"))[0]!;
      now = Math.max(now, Date.parse(nextAt ?? ""));
      if (now >= end) break;
      for (let sweep = 0; sweep < 2; sweep++)
        await store.schedules.startDue({ limit: 10, caps: defaultCaps });
      const [run] = await store.runs.list("owner", { limit: 1 });
      if (run?.dueAt) started.push(dayOf.format(Date.parse(run.dueAt)));
      await store.runs.requestCancelAll("owner");
      const open = await store.runs.list("owner", { limit: 1 });
      for (const { id, lastSeq } of open) await endRun(store, id, lastSeq);
    }
    expect(new Set(started).size).toBe(started.length);
    // The first and the last day are only in part in the year.
    expected.delete(dayOf.format(Date.parse("2026-01-01T12:00:00Z")));
    expected.delete(dayOf.format(end));
    for (const day of expected) expect(started).toContain(day);
  });

  it("counts an interval in real hours", () => {
    const times = nextTimes({ kind: "interval", expression: "6h", zone: "Europe/Berlin" }, 8, {
      after: Date.parse("2026-03-28T12:00:00Z"),
    });
    for (const [index, time] of times.entries())
      if (index > 0) expect(time - times[index - 1]!).toBe(6 * 3_600_000);
  });
});

async function endRun(
  store: ReturnType<typeof memoryStore>,
  runId: string,
  lastSeq: number,
): Promise<void> {
  const claimed = await store.log.claim({
    runId,
    worker: "w",
    leaseMs: 1_000,
    takeOverUntil: 0,
    serves: [],
    maxPerOwner: 10,
    maxInAll: 10,
  });
  if (!claimed.claimed) return;
  await store.log.append({
    lease: claimed.lease,
    seen: lastSeq,
    events: [{ type: "status", payload: { status: "canceled" } }],
    leaseMs: 1_000,
    release: "end",
  });
}

const connectionOf = (client: object) =>
  (client as { readonly connection: { readonly stream: { destroy(): void } } }).connection.stream;

describe("BR27 schedules in several processes", () => {
  let testDatabase: TestDatabase;
  let databases: OpenDatabase[];
  beforeAll(async () => {
    testDatabase = await createTestDatabase(inject("postgresUrl"));
    databases = await Promise.all([
      openDatabase({ url: testDatabase.url }),
      openDatabase({ url: testDatabase.url }),
    ]);
    await migrate(databases[0]!.db);
  });
  afterAll(async () => {
    await Promise.all(databases.map((database) => database.close()));
    await testDatabase.drop();
  });

  const storeOf = (database: OpenDatabase) =>
    createPostgresStore(database, {
      takesHere: () => false,
      enlist: () => Promise.resolve(),
      committed: () => undefined,
    });
  const count = async (ownerPrefix: string) => {
    const { rows } = await databases[0]!.pool.query<{ runs: number; schedules: number }>(
      "select count(*)::int as runs, count(distinct schedule_id)::int as schedules from runs where owner_id like $1",
      [`${ownerPrefix}%`],
    );
    return rows[0]!;
  };
  /** Creates schedules that are due now. */
  const addDue = async (prefix: string, all: number): Promise<void> => {
    const store = storeOf(databases[0]!);
    const owners = Array.from({ length: Math.ceil(all / 100) }, (_, index) => `${prefix}-${index}`);
    for (const ownerId of owners)
      await Promise.all(
        Array.from({ length: Math.min(100, all) }, (): Promise<Schedule> =>
          store.schedules.create(ownerId, newSchedule()),
        ),
      );
    await databases[0]!.pool.query(
      "update schedules set next_at = clock_timestamp() - interval '1 minute' where owner_id like $1",
      [`${prefix}%`],
    );
  };

  it("starts each of many that are due at once exactly once, with two workers", async () => {
    const all = isFullSuite ? 1_000 : 200;
    await addDue("many", all);
    const sweep = async (database: OpenDatabase) => {
      const store = storeOf(database);
      let idle = 0;
      while (idle < 3)
        idle =
          (await store.schedules.startDue({ limit: 100, caps: defaultCaps })) === 0 ? idle + 1 : 0;
    };
    await Promise.all(databases.flatMap((database) => [sweep(database), sweep(database)]));
    expect(await count("many")).toEqual({ runs: all, schedules: all });
  });

  it("starts each exactly once if the worker dies between the take and the start", async () => {
    await addDue("killed", 20);
    // A worker whose connection breaks at a random statement of the transaction.
    for (let statement = 1; statement <= 24; statement++) {
      const victim = await openDatabase({ url: testDatabase.url });
      let left = statement;
      victim.pool.on("connect", (client) => {
        const query = client.query.bind(client) as (...args: unknown[]) => unknown;
        client.query = ((...args: unknown[]) => {
          left--;
          // As if the process were killed: the server rolls back what was not committed.
          if (left === 0) connectionOf(client).destroy();
          return query(...args);
        }) as typeof client.query;
      });
      await storeOf(victim)
        .schedules.startDue({ limit: 3, caps: defaultCaps })
        .catch(() => undefined);
      await victim.close();
      const { runs, schedules } = await count("killed");
      expect(runs).toBe(schedules);
    }
    const store = storeOf(databases[0]!);
    while ((await store.schedules.startDue({ limit: 100, caps: defaultCaps })) > 0);
    expect(await count("killed")).toEqual({ runs: 20, schedules: 20 });
  });
});
