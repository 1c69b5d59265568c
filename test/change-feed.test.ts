import { openChangeFeed, openDatabase, type Change } from "@bron/store";
import pg from "pg";
import { describe, expect, inject, it } from "vitest";
import { createTestDatabase } from "./support/test-database.ts";

describe("the change feed", () => {
  it("BR6 tells other processes, not itself, and says when something may have been missed", async () => {
    const database = await createTestDatabase(inject("postgresUrl"));
    const open = await openDatabase({ url: database.url, poolSize: 3 });
    const feeds = [1, 2].map(() => openChangeFeed({ url: database.url, pool: open.pool, onProblem: () => undefined }));
    const heard = feeds.map(() => ({ changes: [] as Change[], gaps: 0 }));
    feeds.forEach((feed, index) => {
      const own = heard[index]!;
      feed.listen({ onChange: (change) => own.changes.push(change), onAnswer: () => undefined, onGap: () => own.gaps++ });
    });
    await expect.poll(() => heard.map(({ gaps }) => gaps)).toEqual([1, 1]);
    for (let seq = 1; seq <= 500; seq++) feeds[0]!.changed({ runId: `run-${seq % 300}`, lastSeq: seq });
    await expect.poll(() => heard[1]!.changes.length).toBe(300);
    expect(heard[1]!.changes.find(({ runId }) => runId === "run-100")).toEqual({ runId: "run-100", lastSeq: 400 });
    expect(heard[0]!.changes).toEqual([]);
    // Anyone may notify, and nonsense ends nobody.
    for (const payload of ["", "nonsense", "[1]", '["x", [["run", "one"], 5]]', "null"]) await open.pool.query("select pg_notify('bron_changes', $1)", [payload]);
    // The listening connections are cut: both come back and look for what they missed.
    const killer = new pg.Client({ connectionString: database.url });
    await killer.connect();
    await killer.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'bron-listen' and datname = current_database()");
    await expect.poll(() => heard.map(({ gaps }) => gaps), { timeout: 10_000 }).toEqual([2, 2]);
    feeds[1]!.changed({ runId: "after", lastSeq: 7 });
    await expect.poll(() => heard[0]!.changes).toEqual([{ runId: "after", lastSeq: 7 }]);
    await killer.end();
    await Promise.all(feeds.map((feed) => feed.close()));
    await open.close();
    await database.drop();
  });

  it("closes at once while its connection is still being made", async () => {
    const database = await createTestDatabase(inject("postgresUrl"));
    const open = await openDatabase({ url: database.url, poolSize: 1 });
    const feed = openChangeFeed({ url: database.url, pool: open.pool, onProblem: () => undefined });
    feed.listen({ onChange: () => undefined, onAnswer: () => undefined, onGap: () => undefined });
    await feed.close();
    await open.close();
    await database.drop();
  }, 5_000);
});
