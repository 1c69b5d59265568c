import type { StreamSlots } from "@bron/core";
import { migrate, openDatabase, postgresStreamSlots, type OpenDatabase } from "@bron/store";
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../test/support/test-database.ts";
import { manualClock } from "./manual-clock.fixture.ts";
import { createStreamSlots } from "./stream-slots.ts";
import { systemClock } from "./system-clock.ts";

describe("open streams", () => {
  let database: TestDatabase;
  let open: OpenDatabase[];
  let stored: StreamSlots;
  beforeAll(async () => {
    database = await createTestDatabase(inject("postgresUrl"));
    open = await Promise.all([
      openDatabase({ url: database.url, poolSize: 8 }),
      openDatabase({ url: database.url, poolSize: 8 }),
    ]);
    await migrate(open[0]!.db);
    stored = postgresStreamSlots(open[0]!.pool);
  });
  afterAll(async () => {
    await Promise.all(open.map((one) => one.close()));
    await database.drop();
  });
  const processes = () =>
    open.map(({ pool }) =>
      createStreamSlots({ slots: postgresStreamSlots(pool), clock: systemClock }),
    );
  const rowsOf = async (ownerId: string) =>
    (
      await open[0]!.pool.query<{ id: string; good_until: Date }>(
        "select id, good_until from stream_slots where owner_id = $1",
        [ownerId],
      )
    ).rows;
  const age = (ownerId: string, seconds: number) =>
    open[0]!.pool.query(
      "update stream_slots set good_until = good_until - $2 * interval '1 second' where owner_id = $1",
      [ownerId, seconds],
    );

  it("BR10 are limited per owner when two processes open forty at the same time", async () => {
    const [one, two] = processes();
    await Promise.all(
      open.flatMap(({ pool }) =>
        Array.from({ length: 8 }, () => pool.query("select pg_sleep(0.1)")),
      ),
    );
    for (let round = 0; round < 5; round++) {
      const taken = await Promise.all(
        Array.from({ length: 40 }, (_, n) => (n % 2 ? one! : two!).take(`crowd ${round}`, 5)),
      );
      expect(taken.filter(Boolean)).toHaveLength(5);
    }
    expect(await one!.take("somebody else", 5)).toBeDefined();
    await Promise.all([one!.close(), two!.close()]);
  });

  it("BR10 are limited per owner while another process takes the last one", async () => {
    const take = "select take_stream_slot('last', 1, gen_random_uuid(), 'process', 8000) as taken";
    const other = await open[1]!.pool.connect();
    try {
      await other.query("begin");
      expect((await other.query<{ taken: boolean }>(take)).rows).toEqual([{ taken: true }]);
      const here = stored.take({
        id: randomUUID(),
        ownerId: "last",
        max: 1,
        holder: "here",
        ttlMs: 8_000,
      });
      const isWaiting = async () =>
        (
          await open[1]!.pool.query(
            "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%take_stream_slot%'",
          )
        ).rowCount;
      await expect.poll(isWaiting).toBe(1);
      await other.query("commit");
      expect(await here).toBe(false);
    } finally {
      other.release();
    }
  });

  it("BR10 are released once each, and their slots can be taken again at once", async () => {
    const [here] = processes();
    const first = await here!.take("eva", 2);
    const second = await here!.take("eva", 2);
    expect(await here!.take("eva", 2)).toBeUndefined();
    first!();
    first!();
    expect(await here!.take("eva", 2)).toBeDefined();
    first!();
    expect(await here!.take("eva", 2)).toBeUndefined();
    second!();
    await here!.close();
  });

  it("BR10 run no queries without a limit", async () => {
    const here = createStreamSlots({ slots: {} as StreamSlots, clock: systemClock });
    const release = await here.take("eva", 0);
    expect(release).toBeDefined();
    release!();
  });

  it("BR10 are all released when their process closes", async () => {
    const [one, two] = processes();
    for (let times = 0; times < 3; times++) await one!.take("closes", 3);
    expect(await two!.take("closes", 3)).toBeUndefined();
    await one!.close();
    expect(await two!.take("closes", 3)).toBeDefined();
    await two!.close();
  });

  it("BR10 of a killed process are free after the lease expires, and not before", async () => {
    const child = spawn(
      process.execPath,
      [
        "--disable-warning=ExperimentalWarning",
        fileURLToPath(new URL("slot-holder.fixture.ts", import.meta.url)),
        database.url,
        "killed",
        "2",
        "1500",
      ],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    await once(child.stdout, "data");
    const [here] = processes();
    const held = new Set((await rowsOf("killed")).map(({ id }) => id));
    expect(held.size).toBe(2);
    // Wait past the first lease. A living process keeps its slots.
    const first = Math.max(...(await rowsOf("killed")).map((row) => row.good_until.getTime()));
    await expect
      .poll(async () =>
        Math.min(...(await rowsOf("killed")).map((row) => row.good_until.getTime())),
      )
      .toBeGreaterThan(first);
    expect(await here!.take("killed", 2)).toBeUndefined();
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(await here!.take("killed", 2)).toBeUndefined();
    await expect.poll(() => here!.take("killed", 2)).toBeDefined();
    await here!.close();
  });

  it("BR10 are renewed together by one statement every 2.5 s, and free 8 s after their server was killed", async () => {
    const clock = manualClock();
    const renewals: string[][] = [];
    const lifetimes = new Set<number>();
    const here = createStreamSlots({
      slots: {
        ...stored,
        renew: (holder, slots, ttlMs) => (
          renewals.push([...slots.values()]),
          lifetimes.add(ttlMs),
          stored.renew(holder, slots, ttlMs)
        ),
      },
      clock,
    });
    await here.take("renewed", 9);
    await here.take("renewed", 9);
    const [row] = await rowsOf("renewed");
    expect(row!.good_until.getTime() - Date.now()).toBeLessThanOrEqual(8_000);
    clock.advance(2_499);
    await rowsOf("renewed");
    expect(renewals).toHaveLength(0);
    clock.advance(1);
    await expect.poll(() => renewals).toEqual([["renewed", "renewed"]]);
    expect([...lifetimes]).toEqual([8_000]);
    await age("renewed", 60);
    // The next sleep starts when the last statement has finished.
    await expect
      .poll(() => {
        clock.advance(2_500);
        return renewals.length;
      })
      .toBeGreaterThan(1);
    await expect
      .poll(async () => (await rowsOf("renewed"))[0]!.good_until.getTime() - Date.now())
      .toBeGreaterThan(0);
    await here.close();
  });

  it("BR10 that were lost in the database are back after the next heartbeat", async () => {
    const clock = manualClock();
    const here = createStreamSlots({ slots: stored, clock });
    await here.take("forgotten", 1);
    await open[0]!.pool.query("delete from stream_slots where owner_id = 'forgotten'");
    clock.advance(2_500);
    await expect.poll(() => rowsOf("forgotten")).toHaveLength(1);
    await here.close();
    expect(await rowsOf("forgotten")).toHaveLength(0);
  });

  it("BR10 that are released during a renewal are not restored by it", async () => {
    const clock = manualClock();
    const held = Promise.withResolvers<void>();
    const began = Promise.withResolvers<void>();
    const order: string[] = [];
    const slow: StreamSlots = {
      ...stored,
      async renew(holder, slots, ttlMs) {
        const asked = new Map(slots);
        began.resolve();
        await held.promise;
        await stored.renew(holder, asked, ttlMs);
        order.push("renewed");
      },
      remove: (id) => (order.push("removed"), stored.remove(id)),
    };
    const here = createStreamSlots({ slots: slow, clock });
    const release = await here.take("both", 1);
    clock.advance(2_500);
    await began.promise;
    release!();
    held.resolve();
    expect(await here.take("both", 1)).toBeDefined();
    expect(order).toEqual(["renewed", "removed"]);
    await here.close();
  });

  it("BR10 that expired are deleted an hour later", async () => {
    const clock = manualClock();
    await stored.take({
      id: "00000000-0000-4000-8000-000000000001",
      ownerId: "left",
      max: 1,
      holder: "dead",
      ttlMs: 1_000,
    });
    await age("left", 3_700);
    const here = createStreamSlots({ slots: stored, clock });
    await here.take("stays", 1);
    clock.advance(2_500);
    await expect.poll(() => rowsOf("left")).toHaveLength(0);
    await here.close();
  });

  it("BR10 are released without an error while the database is unavailable", async () => {
    const here = createStreamSlots({
      slots: { ...stored, remove: () => Promise.reject(new Error("away")) },
      clock: systemClock,
    });
    const release = await here.take("away", 1);
    expect(() => release!()).not.toThrow();
    await here.close();
  });
});
