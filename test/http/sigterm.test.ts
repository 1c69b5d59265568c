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
/**
 * Longer than the test. A run that another worker claims meanwhile was released, because its lease
 * cannot have expired.
 */
const leaseMs = 120_000;
const kinds = ["everything", "bell", "sibling", "letter", "bell", "slow"];
const closingWord = "the server is closing";

describe("SIGTERM", () => {
  let harness: Harness;
  let watch: pg.Client;
  beforeAll(async () => {
    harness = await openHarness(inject("postgresUrl"), { leaseMs, chunkDelayMs: 150 });
    // The simulator carries out a request at once, but its response is still on the way when
    // SIGTERM arrives.
    harness.simulator.responseDelayMs = 500;
    watch = new pg.Client({ connectionString: harness.databaseUrl });
    await watch.connect();
  });
  afterAll(async () => {
    await watch.end();
    await harness.close();
  });

  it("BR5 BR6 X2 ends a server and worker under load cleanly: accepted runs are kept, and another worker continues them at once", async () => {
    const terminated = await harness.start({ serve: { ownerId }, slowMs: 400 }).then(signIn);
    const surviving = await harness.start({ serve: { ownerId }, slowMs: 100 }).then(signIn);
    let current = terminated;
    const finishing = new AbortController();
    const posts: PostedRun[] = [];
    const approving = approveAll(() => current, finishing.signal);
    posts.push(
      ...(await Promise.all(Array.from({ length: 30 }, (_, index) => postRun(terminated, index)))),
    );
    const readers = posts.map(({ id }) =>
      openRunReader({ runId: id!, choose: () => current, signal: AbortSignal.timeout(120_000) }),
    );
    const posting = Array.from({ length: 4 }, (_, lane) => keepPosting(terminated, posts, lane));
    await expect
      .poll(() => readLoad(watch, terminated.process), { timeout: 60_000, interval: 20 })
      .toMatchObject({ manyHeld: true, someAttempted: true });

    const signaledAt = Date.now();
    terminated.process.process.kill("SIGTERM");
    current = surviving;
    const ended = await terminated.process.ended;
    expect(ended).toMatchObject({ code: 0, signal: null });
    const tookMs = ended.at - signaledAt;
    const left = await runsLeftBy(watch, terminated.process);
    expect(left.held).toEqual([]);
    await Promise.all(posting);

    // The runs that it held and that wait for nothing are claimed, although their leases have not
    // expired.
    await expect
      .poll(() => claimsOf(surviving.process, left.open).length, { timeout: 60_000, interval: 20 })
      .toBe(left.open.length);
    const takeovers = claimsOf(surviving.process, left.open).map((at) => at - ended.at);

    await expectPostsKept(watch, surviving, posts);
    await Promise.all(readers.map((reader) => reader.finished));
    const { rows } = await watch.query<{ id: string }>("select id from runs order by created_at");
    for (const { id } of rows)
      judge(
        await harness.until(ownerId, id, ({ status }) => isTerminal(status), 60_000),
        await harness.events(ownerId, id),
        harness.simulator,
      );
    finishing.abort();
    await approving;
    for (const reader of readers) {
      judgeEvents(reader, await readLog(watch, reader.runId));
      expectOrderlyEnd(reader, terminated);
    }
    console.log(
      `ended in ${tookMs} ms; ${left.open.length} runs taken over, the last after ${Math.max(...takeovers)} ms at a lease of ${leaseMs} ms; ${posts.length} posts: ${JSON.stringify(tally(posts.map(({ status }) => status)))}`,
    );
    // The worker waited for the effects that it had sent, so no outcome is unknown.
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
    for (const { lines } of [terminated.process, surviving.process])
      expect(lines.filter((line) => "problem" in line)).toEqual([]);
  }, 240_000);
});

interface PostedRun {
  readonly key: string;
  readonly prompt: string;
  /** 0 if the connection failed. Then it is unknown whether the run was created. */
  readonly status: number;
  readonly id: string | undefined;
}

async function postRun(signedIn: SignedInServer, index: number): Promise<PostedRun> {
  const [key, prompt] = [`key-${index}`, `${kinds[index % kinds.length]} ${index}`];
  const response = await post(signedIn, "/api/runs", { prompt }, { "idempotency-key": key }).catch(
    () => undefined,
  );
  return {
    key,
    prompt,
    status: response?.status ?? 0,
    id: (response?.body as { id?: string } | undefined)?.id,
  };
}

const maxPosts = 12;

/** Creates runs until the server is gone. */
async function keepPosting(
  signedIn: SignedInServer,
  posts: PostedRun[],
  lane: number,
): Promise<void> {
  for (let count = 0; count < maxPosts; count++) {
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

async function readLoad(
  client: pg.Client,
  { name }: HarnessWorker,
): Promise<{ manyHeld: boolean; someAttempted: boolean }> {
  const { rows } = await client.query<{ held: number; attempted: number }>(
    "select count(*)::int as held, (select count(*)::int from effects where tool = 'ring_bell' and state = 'attempting') as attempted from runs where lease_owner = $1",
    [name],
  );
  return { manyHeld: (rows[0]?.held ?? 0) >= 15, someAttempted: (rows[0]?.attempted ?? 0) > 0 };
}

/** The runs that an ended worker still holds, and the active runs that had no worker then. */
async function runsLeftBy(
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

/** When each of these runs was first claimed. */
function claimsOf({ lines }: HarnessWorker, runIds: readonly string[]): number[] {
  return runIds.flatMap((runId) => {
    const line = lines.find((one) => one["claimed"] === runId);
    return line ? [line["at"] as number] : [];
  });
}

/**
 * Every accepted run is in the database. If the response was lost, repeating the request with the
 * same key creates one run, not two.
 */
async function expectPostsKept(
  client: pg.Client,
  signedIn: SignedInServer,
  posts: readonly PostedRun[],
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

/** The server ended the stream after a complete frame, so that the client knows where to resume. */
function expectOrderlyEnd({ connections }: RunReader, signedIn: SignedInServer): void {
  for (const { end, word, status } of connections.filter(
    (connection) => connection.signedIn === signedIn,
  )) {
    expect({ end, status }).toEqual({ end: "complete", status: 200 });
    expect([closingWord, "the run is over"]).toContain(word);
  }
}

function tally(values: readonly number[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}
