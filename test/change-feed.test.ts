import type { Change } from "@bron/core";
import { openChangeFeed, openDatabase } from "@bron/store";
import pg from "pg";
import { describe, expect, inject, it } from "vitest";
import { createTestDatabase } from "./support/test-database.ts";

describe("the change feed", () => {
  it("BR6 notifies other processes but not itself, and reports when something may have been missed", async () => {
    const database = await createTestDatabase(inject("postgresUrl"));
    const open = await openDatabase({ url: database.url, poolSize: 3 });
    const feeds = [1, 2].map(() =>
      openChangeFeed({ url: database.url, pool: open.pool, onProblem: () => undefined }),
    );
    const heard = feeds.map(() => ({ changes: [] as Change[], gaps: 0 }));
    feeds.forEach((feed, index) => {
      const own = heard[index]!;
      feed.subscribe({
        onChange: (change) => own.changes.push(change),
        onPartialText: () => undefined,
        onGap: () => own.gaps++,
      });
    });
    await expect.poll(() => heard.map(({ gaps }) => gaps)).toEqual([1, 1]);
    for (let seq = 1; seq <= 500; seq++)
      feeds[0]!.changed({ runId: `run-${seq % 300}`, lastSeq: seq });
    await expect.poll(() => heard[1]!.changes.length).toBe(300);
    expect(heard[1]!.changes.find(({ runId }) => runId === "run-100")).toEqual({
      runId: "run-100",
      lastSeq: 400,
    });
    expect(heard[0]!.changes).toEqual([]);
    // Any client may notify, and an invalid payload must end no listener.
    for (const payload of ["", "nonsense", "[1]", '["x", [["run", "one"], 5]]', "null"])
      await open.pool.query("select pg_notify('bron_changes', $1)", [payload]);
    // After their connections are cut, both feeds reconnect and report a gap.
    const killer = new pg.Client({ connectionString: database.url });
    await killer.connect();
    await killer.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'bron-listen' and datname = current_database()",
    );
    await expect.poll(() => heard.map(({ gaps }) => gaps), { timeout: 10_000 }).toEqual([2, 2]);
    feeds[1]!.changed({ runId: "after", lastSeq: 7 });
    await expect.poll(() => heard[0]!.changes).toEqual([{ runId: "after", lastSeq: 7 }]);
    await killer.end();
    await Promise.all(feeds.map((feed) => feed.close()));
    await open.close();
    await database.drop();
  });

  it("BR6 sends nothing while no other process listens, and everything as soon as one does", async () => {
    const database = await createTestDatabase(inject("postgresUrl"));
    const open = await openDatabase({ url: database.url, poolSize: 3 });
    const witness = new pg.Client({ connectionString: database.url });
    await witness.connect();
    const sent: string[] = [];
    witness.on("notification", ({ payload = "" }) => sent.push(payload));
    await witness.query("listen bron_changes");
    const listening = () => {
      const feed = openChangeFeed({
        url: database.url,
        pool: open.pool,
        onProblem: () => undefined,
      });
      const heard: Change[] = [];
      let gaps = 0;
      feed.subscribe({
        onChange: (change) => heard.push(change),
        onPartialText: () => undefined,
        onGap: () => gaps++,
      });
      return { feed, heard, ready: () => gaps };
    };
    const first = listening();
    await expect.poll(first.ready).toBe(1);
    // The feed knows that it is alone once its second query has returned.
    let lastSeq = 0;
    await expect
      .poll(async () => {
        sent.length = 0;
        first.feed.changed({ runId: "alone", lastSeq: ++lastSeq });
        await new Promise((resolve) => setTimeout(resolve, 60));
        return sent.length;
      })
      .toBe(0);
    const second = listening();
    await expect.poll(second.ready).toBe(1);
    await expect.poll(() => sent.length).toBe(1);
    // The witness may learn of the second feed before the first feed does, which drops its changes
    // until then.
    await expect
      .poll(() => {
        first.feed.changed({ runId: "together", lastSeq: 1 });
        return second.heard[0];
      })
      .toEqual({ runId: "together", lastSeq: 1 });
    await second.feed.close();
    await first.feed.close();
    await witness.end();
    await open.close();
    await database.drop();
  });

  it("closes at once while its connection is still being made", async () => {
    const database = await createTestDatabase(inject("postgresUrl"));
    const open = await openDatabase({ url: database.url, poolSize: 1 });
    const feed = openChangeFeed({ url: database.url, pool: open.pool, onProblem: () => undefined });
    feed.subscribe({
      onChange: () => undefined,
      onPartialText: () => undefined,
      onGap: () => undefined,
    });
    await feed.close();
    await open.close();
    await database.drop();
  }, 5_000);
});
