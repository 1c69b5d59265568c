import { setTimeout as sleep } from "node:timers/promises";
import { isTerminal } from "@bron/protocol";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { openHarness, type Harness, type HarnessWorker } from "../crash/support/crash-harness.ts";
import { judge } from "../crash/support/judge.ts";
import { get, post, signIn, type SignedInServer } from "./support/signed-in-server.ts";
import { judgeEvents } from "./support/judge-reader.ts";
import { openRunReader, type RunReader } from "./support/run-reader.ts";
import { readLog } from "./support/read-log.ts";

const ownerId = "local";
/** Longer than the whole test: what is taken up meanwhile was given back, and did not run out. */
const leaseMs = 120_000;
const kinds = ["everything", "bell", "sibling", "letter", "bell", "slow"];
const closingWord = "the server is closing";

describe("SIGTERM", () => {
  let harness: Harness;
  let watch: pg.Client;
  beforeAll(async () => {
    harness = await openHarness(inject("postgresUrl"), { leaseMs, chunkDelayMs: 150 });
    // What was asked of the world happens at once, and its answer is still on its way when the process is told to end.
    harness.simulator.responseDelayMs = 500;
    watch = new pg.Client({ connectionString: harness.databaseUrl });
    await watch.connect();
  });
  afterAll(async () => {
    await watch.end();
    await harness.close();
  });

  it("BR5 BR6 X2 ends a server and worker under load in order: what it said yes to is kept, and another goes on at once", async () => {
    const leaving = await harness.start({ serve: { ownerId }, slowMs: 400 }).then(signIn);
    const staying = await harness.start({ serve: { ownerId }, slowMs: 100 }).then(signIn);
    let current = leaving;
    const over = new AbortController();
    const posts: Posted[] = [];
    const approving = approveAll(() => current, over.signal);
    posts.push(
      ...(await Promise.all(Array.from({ length: 30 }, (_, index) => postRun(leaving, index)))),
    );
    const readers = posts.map(({ id }) =>
      openRunReader({ runId: id!, choose: () => current, signal: AbortSignal.timeout(120_000) }),
    );
    const posting = Array.from({ length: 4 }, (_, lane) => keepPosting(leaving, posts, lane));
    await expect
      .poll(() => underWay(watch, leaving.process), { timeout: 60_000, interval: 20 })
      .toMatchObject({ manyHeld: true, someAttempted: true });

    const toldAt = Date.now();
    leaving.process.process.kill("SIGTERM");
    current = staying;
    const ended = await leaving.process.ended;
    expect(ended).toMatchObject({ code: 0, signal: null });
    const tookMs = ended.at - toldAt;
    const left = await leftBy(watch, leaving.process);
    expect(left.held).toEqual([]);
    await Promise.all(posting);

    // Those that it held, and that wait for nobody, are taken up although their leases have not run out.
    await expect
      .poll(() => claimsOf(staying.process, left.open).length, { timeout: 60_000, interval: 20 })
      .toBe(left.open.length);
    const takeovers = claimsOf(staying.process, left.open).map((at) => at - ended.at);

    await expectPostsKept(watch, staying, posts);
    await Promise.all(readers.map((reader) => reader.over));
    const { rows } = await watch.query<{ id: string }>("select id from runs order by created_at");
    for (const { id } of rows)
      judge(
        await harness.until(ownerId, id, ({ status }) => isTerminal(status), 60_000),
        await harness.events(ownerId, id),
        harness.simulator,
      );
    over.abort();
    await approving;
    for (const reader of readers) {
      judgeEvents(reader, await readLog(watch, reader.runId));
      expectOrderlyEnd(reader, leaving);
    }
    console.log(
      `ended in ${tookMs} ms; ${left.open.length} runs taken over, the last after ${Math.max(...takeovers)} ms at a lease of ${leaseMs} ms; ${posts.length} posts: ${JSON.stringify(tally(posts.map(({ status }) => status)))}`,
    );
    // Whatever had left was waited for, and nothing is in doubt.
    expect(
      (
        await watch.query(
          "select run_id, tool, state from effects where state <> 'done' union all select run_id, tool, state from actions where state = 'unknown'",
        )
      ).rows,
    ).toEqual([]);
    expect(
      readers.filter(({ connections }) => connections.some(({ word }) => word === closingWord))
        .length,
    ).toBeGreaterThan(10);
    for (const { told } of [leaving.process, staying.process])
      expect(told.filter((line) => "problem" in line)).toEqual([]);
  }, 240_000);
});

interface Posted {
  readonly key: string;
  readonly prompt: string;
  /** 0 if the connection failed: nobody knows then. */
  readonly status: number;
  readonly id: string | undefined;
}

async function postRun(signedIn: SignedInServer, index: number): Promise<Posted> {
  const [key, prompt] = [`key-${index}`, `${kinds[index % kinds.length]} ${index}`];
  const answered = await post(signedIn, "/api/runs", { prompt }, { "idempotency-key": key }).catch(
    () => undefined,
  );
  return {
    key,
    prompt,
    status: answered?.status ?? 0,
    id: (answered?.body as { id?: string } | undefined)?.id,
  };
}

const mostPosts = 12;

/** Until the server is gone. */
async function keepPosting(signedIn: SignedInServer, posts: Posted[], lane: number): Promise<void> {
  for (let count = 0; count < mostPosts; count++) {
    const posted = await postRun(signedIn, 1_000 * (lane + 1) + count);
    posts.push(posted);
    if (posted.status === 0) return;
    await sleep(60);
  }
}

async function approveAll(at: () => SignedInServer, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const signedIn = at();
    const listed = await get(signedIn, "/api/approvals?pending=true").catch(() => undefined);
    const { approvals = [] } = (listed?.body ?? {}) as {
      approvals?: { id: string; digest: string }[];
    };
    for (const { id, digest } of approvals)
      await post(signedIn, `/api/approvals/${id}/approve`, { digest }).catch(() => undefined);
    await sleep(50);
  }
}

async function underWay(
  client: pg.Client,
  { name }: HarnessWorker,
): Promise<{ manyHeld: boolean; someAttempted: boolean }> {
  const { rows } = await client.query<{ held: number; attempted: number }>(
    "select count(*)::int as held, (select count(*)::int from effects where tool = 'ring_bell' and state = 'attempting') as attempted from runs where lease_owner = $1",
    [name],
  );
  return { manyHeld: (rows[0]?.held ?? 0) >= 15, someAttempted: (rows[0]?.attempted ?? 0) > 0 };
}

/** What a worker that has ended still holds, and the runs under way that nobody held then. */
async function leftBy(
  client: pg.Client,
  { name }: HarnessWorker,
): Promise<{ held: string[]; open: string[] }> {
  const { rows } = await client.query<{ id: string; lease_owner: string | null; is_open: boolean }>(
    "select id, lease_owner, runnable and status in ('planning', 'executing') as is_open from runs where lease_owner = $1 or (runnable and status in ('planning', 'executing'))",
    [name],
  );
  return {
    held: rows.filter((row) => row.lease_owner === name).map(({ id }) => id),
    open: rows.filter((row) => row.is_open).map(({ id }) => id),
  };
}

/** When each of these runs was claimed first. */
function claimsOf({ told }: HarnessWorker, runIds: readonly string[]): number[] {
  return runIds.flatMap((runId) => {
    const line = told.find((one) => one["claimed"] === runId);
    return line ? [line["at"] as number] : [];
  });
}

/** A yes is in the database; where nobody knows, asking again with the same key makes one run, not two. */
async function expectPostsKept(
  client: pg.Client,
  signedIn: SignedInServer,
  posts: readonly Posted[],
): Promise<void> {
  expect(posts.filter(({ status }) => status !== 201 && status !== 0)).toEqual([]);
  for (const { key, prompt, status, id } of posts) {
    const again = await post(signedIn, "/api/runs", { prompt }, { "idempotency-key": key });
    if (status === 201) expect(again, key).toMatchObject({ status: 200, body: { id } });
    else expect([200, 201], key).toContain(again.status);
  }
  const { rows } = await client.query<{ idempotency_key: string }>(
    "select idempotency_key from runs",
  );
  expect(rows.map((row) => row.idempotency_key).toSorted()).toEqual(
    posts.map(({ key }) => key).toSorted(),
  );
}

/** By the server's word, after a whole frame, so that the client knows where to resume. */
function expectOrderlyEnd({ connections }: RunReader, signedIn: SignedInServer): void {
  for (const { end, word, status } of connections.filter(
    (connection) => connection.signedIn === signedIn,
  )) {
    expect({ end, status }).toEqual({ end: "whole", status: 200 });
    expect([closingWord, "the run is over"]).toContain(word);
  }
}

function tally(values: readonly number[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}
