import { BronError, createRuntime, type Runtime } from "bron";
import { scriptedLanguageModel } from "@bron/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts";
import { harnessSecretKey } from "./support/crash-harness.ts";

const ownerId = "local";

describe("children that are made while their parent is stopped", () => {
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

  const create = (parentRunId?: string) =>
    runtime.runs.create(
      ownerId,
      { prompt: "work" },
      parentRunId === undefined ? {} : { parentRunId },
    );
  /** Undefined if it was refused, as it is under a run that has been stopped. */
  const createUnder = (parentRunId: string) =>
    create(parentRunId).catch((error: unknown) => {
      if (BronError.is(error, "conflict")) return undefined;
      throw error;
    });

  it("X7 are stopped with it or were never made, at 100 interleavings", async () => {
    const tally = { stopped: 0, refused: 0 };
    for (let round = 0; round < 100; round++) {
      const parent = await create();
      const child = await create(parent.id);
      const stop = () => runtime.runs.cancel(ownerId, parent.id).then(() => undefined);
      // Among the others, each time at another place.
      const runtimeEvents = Array.from({ length: 7 }, (_, index) =>
        index === round % 7 ? stop() : createUnder(index % 2 === 0 ? parent.id : child.id),
      );
      const made = (await Promise.all(runtimeEvents)).filter((run) => run !== undefined);
      for (const run of [parent, child, ...made])
        expect(await runtime.runs.get(ownerId, run.id), `round ${round}`).toMatchObject({
          cancelRequested: true,
        });
      tally.stopped += made.length;
      tally.refused += 6 - made.length;
    }
    // Both sides of the race were seen.
    expect(tally.stopped).toBeGreaterThan(20);
    expect(tally.refused).toBeGreaterThan(20);
  }, 300_000);
});
