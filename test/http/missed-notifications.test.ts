import { createPostgresStore, openDatabase } from "@bron/store";
import { scriptedLanguageModel } from "@bron/testing";
import type { RunEvent } from "@bron/protocol";
import { createRuntime, type Runtime } from "@bron/runtime";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { harnessSecretKey } from "../crash/support/crash-harness.ts";
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts";

const ownerId = "local";

/**
 * Another process writes and its notification never arrives, for instance because it died after the
 * commit.
 */
describe("a change without a notification", () => {
  let database: TestDatabase;
  let runtime: Runtime;
  beforeAll(async () => {
    database = await createTestDatabase(inject("postgresUrl"));
    const model = scriptedLanguageModel(() => ({ text: "never asked" }));
    runtime = await createRuntime({
      databaseUrl: database.url,
      secretKey: harnessSecretKey,
      work: "none",
      model: { model, name: "none", maxOutputTokens: 1 },
    });
  });
  afterAll(async () => {
    await runtime.close();
    await database.drop();
  });

  const subscribe = (runId: string): { seen: RunEvent[]; leave: () => void } => {
    const [seen, leaving] = [[] as RunEvent[], new AbortController()];
    void (async () => {
      for await (const event of runtime.logs.events(ownerId, runId, { signal: leaving.signal }))
        seen.push(event);
    })();
    return { seen, leave: () => leaving.abort() };
  };

  it("BR6 still reaches the subscribers of the run", async () => {
    const run = await runtime
      .clientFor(ownerId)
      .call("POST /api/runs", { body: { prompt: "wait" } });
    const { seen, leave } = subscribe(run.id);
    await expect.poll(() => seen.length).toBe(run.lastSeq);
    const other = await openDatabase({ url: database.url, poolSize: 1 });
    const silent = createPostgresStore(other, {
      takesHere: () => false,
      enlist: () => Promise.resolve(),
      committed: () => undefined,
    });
    expect(await silent.runs.requestCancel(ownerId, run.id, undefined)).toBe(true);
    await expect.poll(() => seen.at(-1)?.type, { interval: 20 }).toBe("cancel");
    expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, index) => index + 1));
    leave();
    await other.close();
  });

  it("BR6 does not delay a late subscriber, which gets the past events at once although nothing new happens", async () => {
    const run = await runtime
      .clientFor(ownerId)
      .call("POST /api/runs", { body: { prompt: "wait too" } });
    const early = subscribe(run.id);
    await expect.poll(() => early.seen.length).toBe(run.lastSeq);
    const late = subscribe(run.id);
    await expect
      .poll(() => late.seen.map(({ seq }) => seq), { timeout: 1_000 })
      .toEqual(early.seen.map(({ seq }) => seq));
    early.leave();
    late.leave();
  });
});
