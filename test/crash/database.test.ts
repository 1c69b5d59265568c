import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openEmbeddedPostgres } from "@bron/store";
import { BronError } from "@bron/core";
import { describe, expect, inject, it } from "vitest";
import { openHarness } from "./support/crash-harness.ts";
import { judge } from "./support/judge.ts";
import { openPausableProxy } from "./support/pausable-proxy.ts";

describe("a database that fails", () => {
  it("X2 BR5 is killed under 20 runs: all of them end, and nothing happens twice", async () => {
    const home = await mkdtemp(join(tmpdir(), "bron-killed-"));
    await chmod(home, 0o711);
    const postgres = await openEmbeddedPostgres({ home });
    // This server has no template database.
    const harness = await openHarness(postgres.url, { leaseMs: 4_000, isEmpty: true });
    try {
      const workers = [await harness.start({ slowMs: 100 }), await harness.start({ slowMs: 100 })];
      const kinds = ["everything", "sibling", "slow", "count"];
      const runs = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          harness.runtime.clientFor(`owner-${index}`).call("POST /api/runs", {
            body: { prompt: `${kinds[index % kinds.length]}` },
          }),
        ),
      );
      await sleep(150);
      process.kill(postgres.pid, "SIGKILL");
      await expect
        .poll(
          () =>
            harness.runtime
              .clientFor("owner-0")
              .list("GET /api/runs")
              .then(
                () => true,
                () => false,
              ),
          { timeout: 20_000, interval: 100 },
        )
        .toBe(true);
      for (const run of runs) {
        const ended = await withRetry(() => harness.approveAll(run.ownerId, run.id, 120_000));
        judge(ended, await withRetry(() => harness.events(run.ownerId, run.id)), harness.simulator);
      }
      for (const worker of workers)
        expect(
          worker.process.exitCode ?? worker.process.signalCode,
          "a worker died with the database",
        ).toBeNull();
    } finally {
      await harness.close();
      await postgres.close();
      await rm(home, { recursive: true, force: true });
    }
  }, 300_000);

  it("X2 pauses for longer than the lease: no worker is declared dead, and every run ends on its own worker", async () => {
    const leaseMs = 4_000;
    const harness = await openHarness(inject("postgresUrl"), { leaseMs });
    const proxy = await openPausableProxy(harness.databaseUrl);
    try {
      const workers = [
        await harness.start({ databaseUrl: proxy.url, slowMs: 600 }),
        await harness.start({ databaseUrl: proxy.url, slowMs: 600 }),
      ];
      // Long enough for both workers to trust their own heartbeats.
      await sleep(leaseMs);
      const runs = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          harness.runtime
            .clientFor(`owner-${index}`)
            .call("POST /api/runs", { body: { prompt: "slow" } }),
        ),
      );
      await Promise.all(
        runs.map((run) =>
          harness.until(run.ownerId, run.id, ({ status }) => status === "executing"),
        ),
      );
      const paused = Date.now();
      proxy.pause();
      await sleep(leaseMs * 3);
      proxy.resume();
      for (const run of runs) {
        const ended = await harness.until(
          run.ownerId,
          run.id,
          ({ status }) => status === "completed",
          120_000,
        );
        judge(ended, await harness.events(run.ownerId, run.id), harness.simulator);
        const holders = workers.filter((worker) =>
          worker.lines.some((line) => line["claimed"] === run.id),
        );
        expect(
          holders,
          JSON.stringify(
            [
              paused,
              workers.map((worker) => [
                worker.name,
                ...worker.lines.filter((line) => line["claimed"] === run.id || line["problem"]),
              ]),
            ],
            undefined,
            1,
          ),
        ).toHaveLength(1);
      }
    } finally {
      await harness.close();
      await proxy.close();
    }
  }, 300_000);
});

/** Retries a query while the database is unreachable. */
async function withRetry<T>(work: () => Promise<T>): Promise<T> {
  for (let left = 20; ; left--) {
    try {
      return await work();
    } catch (error) {
      if (left === 0 || !BronError.is(error, "database_unreachable")) throw error;
      await sleep(200);
    }
  }
}
