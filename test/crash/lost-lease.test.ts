import { type Store, defineTool } from "@bron/core";
import pg from "pg";
import { afterEach, describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { openInProcess, type InProcess } from "./support/in-process.ts";

const leaseMs = 5_000;

describe("a worker whose lease another worker has taken", () => {
  let harness: InProcess | undefined;
  afterEach(async () => await harness?.close());

  it("X2 stops its work at the next heartbeat, writes nothing more, and does not release the other worker's lease", async () => {
    const started = Promise.withResolvers<AbortSignal>();
    const waiting = defineTool({
      name: "wait",
      description: "Waits until it is stopped.",
      input: z.object({}),
      repeatable: true,
      async execute(_input, { signal }) {
        started.resolve(signal);
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
        return "stopped";
      },
    });
    let heartbeats = 0;
    const wrap = (store: Store): Store => ({
      ...store,
      log: { ...store.log, renew: (...renewal) => (heartbeats++, store.log.renew(...renewal)) },
    });
    harness = await openInProcess(
      inject("postgresUrl"),
      () => ({ calls: [{ tool: "wait", input: {} }] }),
      { tools: [waiting], wrap, engine: { leaseMs, sweepMs: 100 } },
    );
    const run = await harness.runtime
      .clientFor("local")
      .call("POST /api/runs", { body: { prompt: "wait" } });
    const signal = await started.promise;
    const client = new pg.Client({ connectionString: harness.databaseUrl });
    await client.connect();
    await client.query(
      "update runs set lease_owner = 'another', lease_epoch = lease_epoch + 1, lease_until = clock_timestamp() + interval '1 minute' where id = $1",
      [run.id],
    );
    // One heartbeat may already be in progress.
    const lastHeartbeat = heartbeats + 1;
    const { lastSeq } = await harness.runtime
      .clientFor("local")
      .call("GET /api/runs/:id", { params: { id: run.id } });
    await expect.poll(() => signal.aborted, { interval: 10 }).toBe(true);
    expect(heartbeats).toBeLessThanOrEqual(lastHeartbeat);
    await harness.runtime.close();
    const { rows } = await client.query("select lease_owner, last_seq from runs where id = $1", [
      run.id,
    ]);
    expect(rows).toEqual([{ lease_owner: "another", last_seq: lastSeq }]);
    await client.end();
  }, 300_000);
});
