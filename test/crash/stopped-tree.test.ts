import { BronError, createBron, type Bron } from "bron";
import { scriptedLanguageModel } from "@bron/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts";
import { labSecretKey } from "./support/crash-lab.ts";

const ownerId = "local";

describe("children that are made while their parent is stopped", () => {
  let database: TestDatabase;
  let bron: Bron;
  beforeAll(async () => {
    database = await createTestDatabase(inject("postgresUrl"));
    const model = scriptedLanguageModel(() => ({ text: "never asked" }));
    bron = await createBron({
      databaseUrl: database.url,
      secretKey: labSecretKey,
      work: "none",
      model: { model, name: "none", maxOutputTokens: 1 },
    });
  });
  afterAll(async () => {
    await bron.close();
    await database.drop();
  });

  const create = (parentRunId?: string) =>
    bron.runs.create(ownerId, { prompt: "work" }, parentRunId === undefined ? {} : { parentRunId });
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
      const stop = () => bron.runs.cancel(ownerId, parent.id).then(() => undefined);
      // Among the others, each time at another place.
      const deeds = Array.from({ length: 7 }, (_, index) =>
        index === round % 7 ? stop() : createUnder(index % 2 === 0 ? parent.id : child.id),
      );
      const made = (await Promise.all(deeds)).filter((run) => run !== undefined);
      for (const run of [parent, child, ...made])
        expect(await bron.runs.get(ownerId, run.id), `round ${round}`).toMatchObject({
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
