import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { openHarness, type Harness } from "../crash/support/crash-harness.ts";
import { judgePartialTexts } from "./support/judge-reader.ts";
import { readLog } from "./support/read-log.ts";
import { openRunReader } from "./support/run-reader.ts";
import { post, signIn } from "./support/signed-in-server.ts";
import { createTalkingModel } from "./support/talking-model.ts";

const ownerId = "local";

describe("a run that another process advances", () => {
  const talking = createTalkingModel();
  let harness: Harness;
  let watch: pg.Client;
  beforeAll(async () => {
    harness = await openHarness(inject("postgresUrl"), {
      leaseMs: 5_000,
      script: talking.script,
      chunkDelayMs: 150,
    });
    watch = new pg.Client({ connectionString: harness.databaseUrl });
    await watch.connect();
  });
  afterAll(async () => {
    await watch.end();
    await harness.close();
  });

  it("RT5 BR6 shows its thoughts, its text and the progress of its tools on two servers", async () => {
    const servers = await Promise.all(
      [1, 2].map(() => harness.start({ work: "none", serve: { ownerId } }).then(signIn)),
    );
    const worker = await harness.start({ slowMs: 1_000 });
    const { body } = await post(servers[0]!, "/api/runs", { prompt: "task" });
    const runId = (body as { id: string }).id;
    const readers = servers.map((server) =>
      openRunReader({ runId, choose: () => server, signal: AbortSignal.timeout(60_000) }),
    );
    // A reader that reconnects while a tool runs gets its progress again.
    await expect.poll(() => readers[1]!.reported.length, { timeout: 30_000 }).toBeGreaterThan(0);
    const before = readers[1]!.reported.length;
    readers[1]!.drop();
    await expect
      .poll(() => readers[1]!.reported.length, { timeout: 30_000 })
      .toBeGreaterThan(before);
    await Promise.all(readers.map(({ finished }) => finished));
    expect(worker.lines.some((line) => line["claimed"] === runId)).toBe(true);
    const log = await readLog(watch, runId);
    for (const reader of readers) {
      judgePartialTexts(reader, log, (step) => talking.textsOf("task", step - 1));
      const { partialTexts, reported } = reader;
      expect(partialTexts.some(({ text, thoughts }) => text === "" && thoughts !== "")).toBe(true);
      expect(partialTexts.some(({ text }) => text !== "")).toBe(true);
      expect(new Set(reported.map(({ actionId }) => actionId)).size).toBe(2);
    }
    expect(JSON.stringify(log)).not.toContain("Reading in");
  }, 120_000);
});
