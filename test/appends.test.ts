import type { AppendRequest, Lease, Store, Waker } from "@bron/core";
import { defaultCaps, type Caps, type NewEvent } from "@bron/protocol";
import { createPostgresStore, migrate, openDatabase, type OpenDatabase } from "@bron/store";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "./support/test-database.ts";

/**
 * Appends that arrive faster than the database takes them share statements. Each one succeeds or
 * fails alone.
 */
describe("appends of many runs at once", () => {
  const waker: Waker = {
    takesHere: () => true,
    enlist: () => Promise.resolve(),
    committed: () => undefined,
  };
  let test: TestDatabase;
  let database: OpenDatabase;
  let store: Store;
  beforeAll(async () => {
    test = await createTestDatabase(inject("postgresUrl"));
    database = await openDatabase({ url: test.url });
    await migrate(database.db);
    store = createPostgresStore(database, waker);
  });
  afterAll(async () => {
    await database.close();
    await test.drop();
  });

  const claimed = async (
    count: number,
    ownerId = `owner-${randomUUID()}`,
    caps: Caps = defaultCaps,
  ): Promise<Lease[]> => {
    const leases: Lease[] = [];
    for (let made = 0; made < count; made++) {
      const { run } = await store.runs.create({
        ownerId,
        input: { prompt: `task ${made}` },
        title: "task",
        caps,
      });
      const claim = await store.log.claim({
        runId: run.id,
        worker: "w",
        leaseMs: 60_000,
        takeOverUntil: 0,
        serves: [],
        maxPerOwner: 1_000,
        maxInAll: 100_000,
      });
      if (claim.claimed) leases.push(claim.lease);
    }
    return leases;
  };
  const note = (message: string): NewEvent => ({
    type: "log",
    payload: { level: "info", message },
  });
  const appendOf = (lease: Lease, extra: Partial<AppendRequest> = {}): AppendRequest => ({
    lease,
    seen: 2,
    events: [note(lease.runId), note("second")],
    leaseMs: 60_000,
    ...extra,
  });
  const messagesOf = async ({ ownerId, runId }: Lease) =>
    (await store.runs.events(ownerId, runId, 2)).map(({ seq, payload }) => [
      seq,
      "message" in payload ? payload.message : "",
    ]);

  it("X2 are each made once, with their own events, in fewer statements than there are runs", async () => {
    const leases = await claimed(40);
    const results = await Promise.all(leases.map((lease) => store.log.append(appendOf(lease))));
    expect(results.map((result) => result.ok && result.lastSeq)).toEqual(leases.map(() => 4));
    for (const lease of leases)
      expect(await messagesOf(lease)).toEqual([
        [3, lease.runId],
        [4, "second"],
      ]);
    const { rows } = await database.pool.query<{ commits: number }>(
      "select count(distinct xmin::text)::int as commits from run_log where run_id = any($1) and seq = 4",
      [leases.map(({ runId }) => runId)],
    );
    expect(rows[0]?.commits).toBeLessThan(10);
  });

  it("X3 return the rules that another process has committed, each those of its owner", async () => {
    const elsewhere = await openDatabase({ url: test.url });
    try {
      const { permissions } = createPostgresStore(elsewhere, waker);
      const owners = ["a", "b", "c", "d", "e"].map((name) => `${name}-${randomUUID()}`);
      const leases = (await Promise.all(owners.map((ownerId) => claimed(3, ownerId)))).flat();
      for (const tool of owners)
        await permissions.putRule(tool, { bronId: null, tool, verdict: "deny" });
      const results = await Promise.all(
        leases.map((lease) => store.log.append(appendOf(lease, { needsDenyingRules: true }))),
      );
      expect(
        results.map((result) => result.ok && result.denyingRules?.map(({ tool }) => tool)),
      ).toEqual(leases.map(({ ownerId }) => [ownerId]));
    } finally {
      await elsewhere.close();
    }
  });

  it("count steps only where a cap reads them, because each count lengthens the log of the database", async () => {
    const limited = await claimed(3, undefined, { ...defaultCaps, steps: 5 });
    const others = await claimed(3);
    const stepStart: NewEvent = {
      type: "step",
      payload: {
        phase: "start",
        step: 1,
        attempt: 1,
        model: "m",
        reservedMicrousd: 0,
        activeMs: 0,
      },
    };
    const results = await Promise.all(
      [...limited, ...others].map((lease) =>
        store.log.append(appendOf(lease, { events: [stepStart] })),
      ),
    );
    expect(results.every(({ ok }) => ok)).toBe(true);
    const stepsOf = async (leases: readonly Lease[]) => {
      const { rows } = await database.pool.query<{ steps: number }>(
        "select steps from runs where id = any($1)",
        [leases.map(({ runId }) => runId)],
      );
      return rows.map(({ steps }) => steps);
    };
    expect(await stepsOf(limited)).toEqual([1, 1, 1]);
    expect(await stepsOf(others)).toEqual([0, 0, 0]);
  });

  it("X2 are rejected one by one: for another epoch, a log that has grown, or a missing approval", async () => {
    const leases = await claimed(12);
    const [lost, moved, unapproved, ...others] = leases as [Lease, Lease, Lease, ...Lease[]];
    const results = await Promise.all([
      store.log.append(appendOf({ ...lost, epoch: 7 })),
      store.log.append(appendOf(moved, { seen: 1 })),
      store.log.append(appendOf(unapproved, { consume: [randomUUID()] })),
      ...others.map((lease) => store.log.append(appendOf(lease))),
    ]);
    expect(results.slice(0, 3)).toEqual([
      { ok: false, reason: "lost" },
      { ok: false, reason: "moved" },
      { ok: false, reason: "approval" },
    ]);
    expect(results.slice(3).every(({ ok }) => ok)).toBe(true);
    for (const lease of [lost, moved, unapproved]) expect(await messagesOf(lease)).toEqual([]);
  });

  it("X2 of the same run never use the same position of the log twice", async () => {
    const [lease] = (await claimed(1)) as [Lease];
    const crowd = await claimed(6);
    const results = await Promise.all(
      [...crowd, lease, lease, lease, lease].map((one) => store.log.append(appendOf(one))),
    );
    expect(results.slice(6).filter(({ ok }) => ok)).toHaveLength(1);
    expect(results.slice(0, 6).every(({ ok }) => ok)).toBe(true);
    expect(await messagesOf(lease)).toHaveLength(2);
  });

  it("do not fail with another one that cannot be written", async () => {
    const leases = await claimed(10);
    const artifact = {
      artifactId: randomUUID(),
      kind: "note",
      name: "x",
      mediaType: "text/plain",
      digest: "sha256:of bytes that nobody stored",
      sizeBytes: 1,
    };
    const results = await Promise.allSettled(
      leases.map((lease, index) =>
        store.log.append(
          appendOf(lease, index === 5 ? { events: [{ type: "artifact", payload: artifact }] } : {}),
        ),
      ),
    );
    expect(results.map(({ status }) => status)).toEqual(
      leases.map((_, index) => (index === 5 ? "rejected" : "fulfilled")),
    );
    expect(await messagesOf(leases[4] as Lease)).toHaveLength(2);
    expect(await store.runs.events(leases[5]!.ownerId, leases[5]!.runId, 2)).toEqual([]);
  });

  it("do not wait for one whose row is locked, which is made once the lock is released", async () => {
    const leases = await claimed(30);
    const [held, ...others] = leases as [Lease, ...Lease[]];
    const holder = await database.pool.connect();
    await holder.query("begin");
    await holder.query("select 1 from runs where id = $1 for update", [held.runId]);
    let heldDone = false;
    // The first ones keep both lanes busy, so that the locked one shares a batch with others.
    const first = others.slice(0, 15).map((lease) => store.log.append(appendOf(lease)));
    const waiting = store.log.append(appendOf(held)).finally(() => (heldDone = true));
    const results = await Promise.all([
      ...first,
      ...others.slice(15).map((lease) => store.log.append(appendOf(lease))),
    ]);
    expect(results.every(({ ok }) => ok)).toBe(true);
    const again = await Promise.all(
      others.map((lease) => store.log.append(appendOf(lease, { seen: 4 }))),
    );
    expect(again.every(({ ok }) => ok)).toBe(true);
    expect(heldDone).toBe(false);
    await holder.query("commit");
    holder.release();
    expect(await waiting).toMatchObject({ ok: true, lastSeq: 4 });
  });

  it("X7 do not deadlock renewals with a statement that locks several runs in any order", async () => {
    const leases = await claimed(8);
    const stopper = await database.pool.connect();
    await stopper.query("begin");
    // Locks from the last run to the first and then from the first to the last. One of the two is
    // opposite to the order of the renewal.
    for (const [turn, order] of [leases.toReversed(), leases].entries()) {
      const [first, ...others] = order as [Lease, ...Lease[]];
      await stopper.query("select 1 from runs where id = $1 for update", [first.runId]);
      const renewal = store.log.renew("w", leases, 60_000);
      await expect
        .poll(
          async () =>
            (
              await database.pool.query(
                "select 1 from pg_stat_activity where application_name = 'bron-beats' and wait_event_type = 'Lock' and datname = current_database()",
              )
            ).rowCount,
        )
        .toBe(1);
      for (const { runId } of others)
        await stopper.query("select 1 from runs where id = $1 for update", [runId]);
      await stopper.query(turn === 0 ? "commit and chain" : "commit");
      expect((await renewal).kept.map(({ runId }) => runId).toSorted()).toEqual(
        leases.map(({ runId }) => runId).toSorted(),
      );
    }
    stopper.release();
  });

  it("X6 draw from one owner's cap one after the other, so that the rest is not given to two runs", async () => {
    const ownerId = `owner-${randomUUID()}`;
    await store.budgets.setOwnerCap(ownerId, 100);
    const leases = await claimed(2, ownerId);
    const holder = await database.pool.connect();
    await holder.query("begin");
    await holder.query("select 1 from owners where id = $1 for update", [ownerId]);
    const drawing = leases.map((lease) =>
      store.log.append({
        ...appendOf(lease),
        draw: { needMicrousd: 60, blockMicrousd: 60, isInTree: false },
        chargedMicrousd: 60,
      }),
    );
    // Both have started, and each waits for the owner's row.
    await expect
      .poll(
        async () =>
          (
            await database.pool.query(
              "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
            )
          ).rowCount,
        { timeout: 15_000 },
      )
      .toBe(2);
    await holder.query("commit");
    holder.release();
    const results = await Promise.all(drawing);
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(results.find(({ ok }) => !ok)).toEqual({
      ok: false,
      reason: "budget",
      why: { code: "owner_budget" },
    });
    expect(await store.budgets.ownerSpending(ownerId)).toEqual({
      capMicrousd: 100,
      drawnMicrousd: 60,
    });
  });

  it("X6 return to the owner what several runs did not use", async () => {
    const ownerId = `owner-${randomUUID()}`;
    await store.budgets.setOwnerCap(ownerId, 1_000);
    const leases = await claimed(5, ownerId);
    for (const lease of leases)
      expect(
        await store.log.append({
          ...appendOf(lease),
          draw: { needMicrousd: 100, blockMicrousd: 150, isInTree: false },
          chargedMicrousd: 100,
        }),
      ).toMatchObject({ ok: true });
    expect(await store.budgets.ownerSpending(ownerId)).toMatchObject({ drawnMicrousd: 500 });
    const ends = await Promise.all(
      leases.map((lease) =>
        store.log.append(
          appendOf(lease, {
            seen: 4,
            release: "end",
            chargedMicrousd: 10,
            events: [{ type: "status", payload: { status: "completed" } }],
          }),
        ),
      ),
    );
    expect(ends.every(({ ok }) => ok)).toBe(true);
    expect(await store.budgets.ownerSpending(ownerId)).toMatchObject({ drawnMicrousd: 50 });
  });
});
