import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { openHarness, type Harness, type HarnessWorker } from "../crash/support/crash-harness.ts";
import { post, signIn, type SignedInServer } from "./support/signed-in-server.ts";
import { judgePartialTexts, judgeEvents } from "./support/judge-reader.ts";
import { readLog } from "./support/read-log.ts";
import { openRunReader, type RunReader, type SeenEvent } from "./support/run-reader.ts";
import { createTalkingModel } from "./support/talking-model.ts";

const ownerId = "local";
const runCount = 20;
const readerCount = 200;
/** How many runs the owner cancels halfway. */
const canceledCount = 2;
const leaseMs = 2_000;

describe("many servers and workers on one database", () => {
  const talking = createTalkingModel();
  let harness: Harness;
  let watch: pg.Client;
  beforeAll(async () => {
    harness = await openHarness(inject("postgresUrl"), {
      leaseMs,
      script: talking.script,
      chunkDelayMs: 60,
    });
    watch = new pg.Client({ connectionString: harness.databaseUrl });
    await watch.connect();
  });
  afterAll(async () => {
    await watch.end();
    await harness.close();
  });

  it("RT5 RT12 BR5 BR6 X7 shows 200 clients exactly the log while a server, a worker and every LISTEN connection are killed", async () => {
    const oldest = await harness.start({ slowMs: 300 });
    const [first, second, ...others] = await Promise.all([
      harness.start({ work: "none", serve: { ownerId } }).then(signIn),
      // The server that survives has no safety poll. It relies on notifications and must recover
      // those that it missed.
      harness.start({ work: "none", serve: { ownerId }, withoutSafetyPoll: true }).then(signIn),
      ...Array.from({ length: 2 }, () => harness.start({ slowMs: 300 })),
    ]);
    const workers = [oldest, ...others];
    const servers = [first, second];
    const tasks = new Map<string, string>();
    for (let index = 0; index < runCount; index++) {
      const { status, body } = await post(servers[index % 2]!, "/api/runs", {
        prompt: `task-${index}`,
      });
      expect(status).toBe(201);
      tasks.set((body as { id: string }).id, `task-${index}`);
    }
    const runIds = [...tasks.keys()];
    const timeout = AbortSignal.timeout(45_000);
    const readers = Array.from({ length: readerCount }, (_, index) => {
      const mine = servers[index % 2];
      const choose = (): SignedInServer | undefined =>
        mine && isAlive(mine.process) ? mine : servers.find(({ process }) => isAlive(process));
      return openRunReader({
        runId: runIds[Math.floor(index / 2) % runCount]!,
        choose,
        signal: timeout,
      });
    });

    await untilSeen(readers, 10);
    expect(await cutListening(watch)).toBeGreaterThanOrEqual(5);
    await untilSeen(readers, 14);
    await first.process.kill();
    for (const runId of runIds.slice(0, canceledCount))
      expect((await post(second, `/api/runs/${runId}/cancel`, {})).status).toBe(200);
    for (const reader of readers.slice(0, 20)) reader.drop();
    await untilSeen(readers, 18);
    const killed = await busiestWorker(watch, workers);
    await killed.kill();
    // Cuts until the very end, because no later notification makes up for a lost one about the last
    // event of a run.
    const cut = await cutListeningUntilOver(watch, runIds);
    await Promise.all(readers.map(({ finished }) => finished));
    expect(cut).toBeGreaterThan(10);
    const logs = new Map<string, SeenEvent[]>();
    for (const runId of runIds) logs.set(runId, await readLog(watch, runId));
    for (const reader of readers) {
      const log = logs.get(reader.runId)!;
      judgeEvents(reader, log);
      judgePartialTexts(reader, log, (step) => talking.textsOf(tasks.get(reader.runId)!, step - 1));
    }
    for (const [index, runId] of runIds.entries()) {
      const log = logs.get(runId)!;
      const isCanceled = index < canceledCount;
      expect(log.at(-1)).toMatchObject({
        type: "status",
        payload: { status: isCanceled ? "canceled" : "completed" },
      });
      if (isCanceled)
        expect(
          log.slice(log.findIndex(({ type }) => type === "cancel")).filter(startsSomething),
        ).toEqual([]);
    }
    const { rows } = await watch.query(
      "select id from runs where lease_owner is not null or runnable",
    );
    expect(rows).toEqual([]);
    const takenOver = runIds.filter(
      (runId) =>
        workers.filter(({ lines }) => lines.some((line) => line["claimed"] === runId)).length > 1,
    );
    expect(takenOver.length).toBeGreaterThan(0);
    expectSomethingSeen(readers, takenOver.length);
  }, 90_000);
});

/**
 * Checks that the server died while clients were connected, and that partial text was seen, also of
 * second attempts.
 */
function expectSomethingSeen(readers: readonly RunReader[], takenOver: number): void {
  const resumed = readers.filter(({ connections }) =>
    connections.some(({ lastEventId }) => lastEventId > 0),
  );
  const partialTexts = readers.flatMap((reader) => reader.partialTexts);
  const again = partialTexts.filter(({ attempt }) => attempt > 1);
  const delays = readers.flatMap(({ delaysMs }) => delaysMs).toSorted((a, b) => a - b);
  const at = (share: number) => delays[Math.floor(delays.length * share)];
  console.log(
    `${readers.length} clients, ${resumed.length} resumed, ${takenOver} runs taken over, ${delays.length} events, ${partialTexts.length} answers in progress, ${again.length} of them asked for again; commit to client p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, max ${delays.at(-1)} ms`,
  );
  expect(resumed.length).toBeGreaterThan(readerCount / 4);
  expect(partialTexts.length).toBeGreaterThan(readerCount * 5);
  expect(again.length).toBeGreaterThan(0);
}

function isAlive({ process }: HarnessWorker): boolean {
  return process.exitCode === null && process.signalCode === null;
}

/** Waits until clients have seen this many events of their runs on average. */
async function untilSeen(readers: readonly RunReader[], seq: number): Promise<void> {
  const average = () => readers.reduce((sum, { seen }) => sum + seen.length, 0) / readers.length;
  await expect.poll(average, { timeout: 30_000, interval: 20 }).toBeGreaterThanOrEqual(seq);
}

async function cutListening(client: pg.Client): Promise<number> {
  const { rows } = await client.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'bron-listen' and datname = current_database()",
  );
  return rows.length;
}

/** Cuts the LISTEN connections again and again until all runs have finished. */
async function cutListeningUntilOver(
  client: pg.Client,
  runIds: readonly string[],
): Promise<number> {
  for (let cut = 0, left = 200; ; left--) {
    cut += await cutListening(client);
    const { rows } = await client.query(
      "select id from runs where id = any($1) and status not in ('completed', 'failed', 'canceled')",
      [runIds],
    );
    if (rows.length === 0 || left === 0) return cut;
    await sleep(120);
  }
}

/** The worker with the most streaming model calls, once a worker has at least three. */
async function busiestWorker(
  client: pg.Client,
  workers: readonly HarnessWorker[],
): Promise<HarnessWorker> {
  const most = async () =>
    (
      await client.query<{ worker: string; runs: number }>(
        "select lease_owner as worker, count(*)::int as runs from runs where status = 'planning' group by lease_owner order by runs desc limit 1",
      )
    ).rows[0];
  await expect
    .poll(async () => (await most())?.runs ?? 0, { timeout: 15_000, interval: 20 })
    .toBeGreaterThanOrEqual(3);
  const name = (await most())?.worker;
  const worker = workers.find((one) => one.name === name);
  if (!worker) throw new Error(`No worker is called ${name}`);
  return worker;
}

function startsSomething({ type, payload }: SeenEvent): boolean {
  const { phase, state } = payload as { phase?: string; state?: string };
  return (
    ((type === "step" || type === "tool") && phase === "start") ||
    (type === "effect" && state === "attempting")
  );
}
