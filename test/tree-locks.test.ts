import type { Lease, NewRun, Store } from "@bron/core";
import { defaultCaps, omitUndefined } from "@bron/protocol";
import { createPostgresStore, openDatabase, type OpenDatabase } from "@bron/store";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "./support/test-database.ts";

describe("the rows that a tree of runs shares", () => {
  const ownerId = `owner-${randomUUID()}`;
  let test: TestDatabase;
  let database: OpenDatabase;
  let store: Store;
  beforeAll(async () => {
    test = await createTestDatabase(inject("postgresUrl"));
    database = await openDatabase({ url: test.url });
    store = createPostgresStore(database, {
      takesHere: () => true,
      enlist: () => Promise.resolve(),
      committed: () => undefined,
    });
  });
  afterAll(async () => {
    await database.close();
    await test.drop();
  });

  const create = async (parent?: NewRun["parent"]) =>
    (
      await store.runs.create({
        ownerId,
        input: { prompt: "task" },
        title: "task",
        caps: { ...defaultCaps, costMicrousd: 1_000_000 },
        ...omitUndefined({ parent }),
      })
    ).run;
  const childOf = (runId: string) =>
    create({ runId, actionId: randomUUID(), trusted: true, failureMode: "best_effort" });
  const claim = async (runId: string): Promise<Lease> => {
    const claimed = await store.log.claim({
      runId,
      worker: "w",
      leaseMs: 60_000,
      takeOverUntil: 0,
      serves: [],
      maxPerOwner: 10,
      maxInAll: 10,
    });
    if (!claimed.claimed) throw new Error(claimed.reason);
    return claimed.lease;
  };
  const untilWaiting = (count: number) =>
    expect
      .poll(async () => {
        const { rows } = await database.pool.query(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        );
        return rows.length;
      })
      .toBe(count);

  it("X6 do not deadlock when a child run takes money while its parent starts another one", async () => {
    const parent = await create();
    const lease = await claim((await childOf(parent.id)).id);
    const holder = await database.pool.connect();
    await holder.query("begin");
    await holder.query("select from runs where id = $1 for update", [parent.id]);
    const drawn = store.log.append({
      lease,
      seen: 2,
      events: [],
      leaseMs: 60_000,
      chargedMicrousd: 10,
      draw: { needMicrousd: 10, blockMicrousd: 10, isInTree: true },
    });
    await untilWaiting(1);
    const started = childOf(parent.id);
    await untilWaiting(2);
    await holder.query("commit");
    holder.release();
    expect(await drawn).toMatchObject({ ok: true, drawnMicrousd: 10 });
    expect(await started).toMatchObject({ parentRunId: parent.id });
  });
});
