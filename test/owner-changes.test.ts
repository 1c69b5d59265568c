import type { RunChange } from "@bron/protocol";
import { createPostgresStore, openDatabase } from "@bron/store";
import { scriptedLanguageModel } from "@bron/testing";
import { defineTool } from "@bron/core";
import { createRuntime, type Runtime } from "@bron/runtime";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { createTestDatabase, type TestDatabase } from "./support/test-database.ts";

const ownerId = "local";

/** Another process notices a run in its next sweep, up to a second later. */
const inTime = { timeout: 10_000 };

describe("changes of all runs of an owner", () => {
  let database: TestDatabase;
  /** Works on runs and creates them. */
  let worker: Runtime;
  /** Only subscribes, as a second process does. */
  let watcher: Runtime;
  beforeAll(async () => {
    database = await createTestDatabase(inject("postgresUrl"));
    const send = defineTool({
      name: "send",
      description: "Sends.",
      input: z.object({ to: z.string() }),
      sideEffect: true,
      execute: () => "sent",
    });
    const model = {
      model: scriptedLanguageModel(({ turn }) =>
        turn === 0 ? { calls: [{ tool: "send", input: { to: "eva" } }] } : { text: "Done." },
      ),
      name: "scripted",
      maxOutputTokens: 100,
    };
    const common = {
      databaseUrl: database.url,
      secretKey: "a secret key for tests that is long enough",
      model,
      tools: [send],
    };
    worker = await createRuntime(common);
    watcher = await createRuntime({ ...common, work: "none" });
  });
  afterAll(async () => {
    await watcher.close();
    await worker.close();
    await database.drop();
  });

  const subscribe = (runtime: Runtime, owner = ownerId) => {
    const seen: RunChange[] = [];
    let gaps = 0;
    const leave = runtime.changes.subscribe(owner, {
      onChange: (changes) => seen.push(...changes),
      onGap: () => gaps++,
    });
    const last = (runId: string) => seen.findLast(({ run }) => run.id === runId);
    return { seen, last, leave, gaps: () => gaps };
  };

  it("BR1 BR6 reach subscribers in every process: a new run, its approval and its end, and nothing of other owners", async () => {
    const client = watcher.clientFor(ownerId);
    const [here, there, stranger] = [
      subscribe(worker),
      subscribe(watcher),
      subscribe(watcher, "stranger"),
    ];
    const { id } = await worker
      .clientFor(ownerId)
      .call("POST /api/runs", { body: { prompt: "send it" } });
    for (const { last } of [here, there])
      await expect
        .poll(() => last(id), inTime)
        .toMatchObject({
          run: { title: "send it", status: "awaiting_confirmation" },
          pendingApprovals: 1,
        });
    const [approval] = await client.list("GET /api/approvals", { runId: id });
    await client.call("POST /api/approvals/:id/approve", {
      params: { id: approval!.id },
      body: { digest: approval!.digest },
    });
    for (const { last } of [here, there])
      await expect
        .poll(() => last(id), inTime)
        .toMatchObject({ run: { status: "completed", summary: "Done." }, pendingApprovals: 0 });
    const later = await client.call("POST /api/runs", {
      body: {
        prompt: "later",
        delayMs: 3_600_000,
      },
    });
    for (const { last } of [here, there])
      await expect.poll(() => last(later.id), inTime).toMatchObject({ run: { status: "queued" } });
    expect(stranger.seen).toEqual([]);
    for (const { leave } of [here, there, stranger]) leave();
    const [before, beforeThere] = [here.seen.length, there.seen.length];
    const witness = subscribe(watcher);
    await client.call("POST /api/runs/:id/cancel", { params: { id: later.id } });
    await expect.poll(() => witness.last(later.id)?.run.status, inTime).toBe("canceled");
    expect([here.seen.length, there.seen.length]).toEqual([before, beforeThere]);
    witness.leave();
  });

  it("BR6 are reported as a gap when the LISTEN connection is cut", async () => {
    const there = subscribe(watcher);
    const open = await openDatabase({ url: database.url, poolSize: 1 });
    const before = there.gaps();
    await open.pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'bron-listen' and datname = current_database()",
    );
    await expect.poll(there.gaps, { timeout: 10_000 }).toBeGreaterThan(before);
    there.leave();
    await open.close();
  });

  it("BR6 are found although their writer sent no notification", async () => {
    const there = subscribe(watcher);
    const heard = await watcher.clientFor(ownerId).call("POST /api/runs", {
      body: {
        prompt: "heard of",
        delayMs: 3_600_000,
      },
    });
    await expect.poll(() => there.last(heard.id)).toBeDefined();
    const open = await openDatabase({ url: database.url, poolSize: 1 });
    const silent = createPostgresStore(open, {
      takesHere: () => false,
      enlist: () => Promise.resolve(),
      committed: () => undefined,
    });
    const { run: made } = await silent.runs.create({
      ownerId,
      input: { prompt: "unheard of", delayMs: 3_600_000 },
      title: "unheard of",
      caps: heard.caps,
    });
    await expect
      .poll(() => there.last(made.id), { timeout: 10_000 })
      .toMatchObject({ run: { title: "unheard of" } });
    expect(await silent.runs.requestCancel(ownerId, made.id)).toBe(true);
    await expect
      .poll(() => there.last(made.id), { timeout: 10_000 })
      .toMatchObject({ run: { cancelRequested: true } });
    there.leave();
    await open.close();
  });
});
