import { sampleCount } from "@bron/testing";
import fc from "fast-check";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../test/support/test-database.ts";
import { openDatabase, type OpenDatabase } from "../database/database.ts";
import { migrate } from "../database/migrate.ts";
import type { Rates, Turn } from "@bron/core";
import { postgresRates } from "./rates.ts";

const minute = 60_000;

describe("rates", () => {
  let database: TestDatabase;
  /** Two processes on one database. */
  let open: OpenDatabase[];
  let rates: [Rates, Rates];
  beforeAll(async () => {
    database = await createTestDatabase(inject("postgresUrl"));
    open = await Promise.all([
      openDatabase({ url: database.url, poolSize: 8 }),
      openDatabase({ url: database.url, poolSize: 8 }),
    ]);
    await migrate(open[0]!.db);
    rates = [postgresRates(open[0]!.pool), postgresRates(open[1]!.pool)];
  });
  afterAll(async () => {
    await Promise.all(open.map((one) => one.close()));
    await database.drop();
  });
  const take = (...turns: Turn[]) => rates[0].take(turns);
  const counted = async (key: string) =>
    (await open[0]!.pool.query("select from rate_turns where key = $1", [key])).rowCount;
  const passed = async (key: string, ms: number) =>
    void (await open[0]!.pool.query(
      "update rate_turns set at = at - $2 * interval '1 ms', gone_at = gone_at - $2 * interval '1 ms' where key = $1",
      [key, ms],
    ));

  it("BR10 allow exactly the limit when two processes send a hundred requests at the same time", async () => {
    // All connections are open already, so that all sixteen requests run at the same time.
    await Promise.all(
      open.flatMap(({ pool }) =>
        Array.from({ length: 8 }, () => pool.query("select pg_sleep(0.1)")),
      ),
    );
    for (let round = 0; round < 10; round++) {
      const key = `hundred ${round}`;
      const results = await Promise.all(
        Array.from({ length: 100 }, (_, n) =>
          rates[n % 2]!.take([{ key, limit: 10, windowMs: minute }]),
        ),
      );
      expect(results.filter(({ ok }) => ok)).toHaveLength(10);
      for (const result of results)
        if (!result.ok)
          expect(result.retryAfterMs).toSatisfy(
            (ms: number) => ms > minute - 20_000 && ms <= minute,
          );
      expect(await counted(key)).toBe(10);
    }
  });

  it("BR10 allow the next request exactly when the oldest one leaves the window", async () => {
    const turn = { key: "slides", limit: 2, windowMs: minute };
    await take(turn);
    await passed("slides", 40_000);
    await take(turn);
    const refused = await take(turn);
    expect(refused).toMatchObject({ ok: false });
    const wait = refused.ok ? 0 : refused.retryAfterMs;
    expect(wait).toBeGreaterThan(10_000);
    expect(wait).toBeLessThanOrEqual(20_000);
    await passed("slides", 20_001);
    expect(await take(turn)).toEqual({ ok: true });
    expect(await take(turn)).toMatchObject({ ok: false });
  });

  it("BR10 return a wait time after which the next request is allowed, by the database clock", async () => {
    const turn = { key: "waits", limit: 3, windowMs: 300 };
    for (let times = 0; times < 9; times++) {
      const result = await take(turn);
      if (result.ok) continue;
      await sleep(result.retryAfterMs + 1);
      expect(await take(turn)).toEqual({ ok: true });
    }
  });

  it("BR10 never allow more than the limit in any window", async () => {
    const arrivals = fc.record({
      limit: fc.integer({ min: 1, max: 4 }),
      gaps: fc.array(fc.integer({ min: 0, max: 90 }), { minLength: 1, maxLength: 15 }),
    });
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(arrivals, async ({ limit, gaps }) => {
        const key = `any ${runs++}`;
        // The window is a year, so that only the simulated clock of the test matters.
        const unit = 31_536_000_000 / 100;
        const through: number[] = [];
        let now = 0;
        for (const gap of gaps) {
          now += gap;
          await passed(key, gap * unit);
          const expected = through.filter((at) => at > now - 100).length < limit;
          expect((await take({ key, limit, windowMs: 100 * unit })).ok).toBe(expected);
          if (expected) through.push(now);
        }
      }),
      { numRuns: sampleCount(30) },
    );
  });

  it("BR10 count a request under all of its keys or none", async () => {
    const [user, address] = [
      { key: "user", limit: 5, windowMs: minute },
      { key: "address", limit: 2, windowMs: minute },
    ];
    for (const ok of [true, true, false, false]) expect((await take(user, address)).ok).toBe(ok);
    expect([await counted("user"), await counted("address")]).toEqual([2, 2]);
    for (const ok of [true, true, true, false]) expect((await take(user)).ok).toBe(ok);
  });

  it("BR10 return the longest of several wait times", async () => {
    const turns = [
      { key: "short", limit: 1, windowMs: 1_000 },
      { key: "long", limit: 1, windowMs: minute },
    ];
    await take(...turns);
    const refused = await take(...turns);
    expect(refused.ok ? 0 : refused.retryAfterMs).toBeGreaterThan(30_000);
  });

  it("BR10 apply two limits of one key, and count a request once", async () => {
    const turns = [
      { key: "both", limit: 2, windowMs: minute },
      { key: "both", limit: 3, windowMs: 60 * minute },
    ];
    for (const ok of [true, true, false]) expect((await take(...turns)).ok).toBe(ok);
    expect(await counted("both")).toBe(2);
    await passed("both", minute);
    for (const ok of [true, false]) expect((await take(...turns)).ok).toBe(ok);
  });

  it("BR10 do not deadlock when keys come in different orders", async () => {
    const [a, b, c] = ["a", "b", "c"].map((key) => ({
      key: `order ${key}`,
      limit: 1_000,
      windowMs: minute,
    })) as [Turn, Turn, Turn];
    const orders = [
      [a, b, c],
      [c, b, a],
      [b, a, c],
      [c, a, b],
    ];
    const results = await Promise.all(
      Array.from({ length: 80 }, (_, n) => rates[n % 2]!.take(orders[n % 4]!)),
    );
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(await counted("order a")).toBe(80);
  });

  it("BR10 treat 0 as no limit, and do not count it", async () => {
    for (let times = 0; times < 5; times++)
      expect(await take({ key: "free", limit: 0, windowMs: minute })).toEqual({ ok: true });
    expect(await counted("free")).toBe(0);
    expect(
      await take(
        { key: "free", limit: 0, windowMs: minute },
        { key: "not free", limit: 1, windowMs: minute },
      ),
    ).toEqual({ ok: true });
    expect(
      await take(
        { key: "free", limit: 0, windowMs: minute },
        { key: "not free", limit: 1, windowMs: minute },
      ),
    ).toMatchObject({ ok: false });
  });

  it("BR10 count several requests or none of them, and can return them", async () => {
    const turn = { key: "batch", limit: 5, windowMs: minute };
    expect(await rates[0].take([turn], 3)).toEqual({ ok: true });
    expect(await rates[0].take([turn], 3)).toMatchObject({
      ok: false,
      retryAfterMs: expect.toSatisfy((ms: number) => ms > 0 && ms <= minute),
    });
    expect(await counted("batch")).toBe(3);
    expect(await rates[0].take([turn], 2)).toEqual({ ok: true });
    expect(await take(turn)).toMatchObject({ ok: false });
    await rates[1].refund(["batch", "unknown"], 2);
    expect(await counted("batch")).toBe(3);
    expect(await rates[0].take([turn, { key: "other", limit: 1, windowMs: minute }], 2)).toEqual({
      ok: false,
      retryAfterMs: Number.POSITIVE_INFINITY,
    });
    expect(await counted("batch")).toBe(3);
  });

  it("BR10 allow only complete batches when two processes send twenty at the same time", async () => {
    const taken = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        rates[n % 2]!.take([{ key: "batches", limit: 10, windowMs: minute }], 3),
      ),
    );
    expect(taken.filter(({ ok }) => ok)).toHaveLength(3);
    expect(await counted("batches")).toBe(9);
  });

  it("BR10 delete expired rows", async () => {
    for (let times = 0; times < 30; times++)
      await take({ key: "old", limit: 100, windowMs: minute });
    await passed("old", minute + 1);
    for (let times = 0; times < 2; times++)
      await take({ key: "new", limit: 100, windowMs: minute });
    expect(await counted("old")).toBe(0);
    expect(await counted("new")).toBe(2);
  });
});
