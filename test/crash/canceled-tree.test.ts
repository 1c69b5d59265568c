import { BronError } from "@bron/core";
import { createRuntime, type Runtime } from "@bron/runtime";
import { isFullSuite, scriptedLanguageModel } from "@bron/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts";
import { harnessSecretKey } from "./support/crash-harness.ts";

const rounds = isFullSuite ? 100 : 30;
const ownerId = "local";

describe("child runs created while their parent run is canceled", () => {
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

  const create = async (parentRunId?: string) => {
    const options = parentRunId === undefined ? {} : { parentRunId };
    return (await runtime.startRun(ownerId, { prompt: "work" }, options)).run;
  };
  /** Returns undefined if the child run was rejected, which happens under a canceled run. */
  const createUnder = (parentRunId: string) =>
    create(parentRunId).catch((error: unknown) => {
      if (BronError.is(error, "conflict")) return undefined;
      throw error;
    });

  it(`X7 are canceled with it or never created, at ${rounds} interleavings`, async () => {
    const client = runtime.clientFor(ownerId);
    const tally = { canceled: 0, refused: 0 };
    for (let round = 0; round < rounds; round++) {
      const parent = await create();
      const child = await create(parent.id);
      const cancel = () =>
        client
          .call("POST /api/runs/:id/cancel", { params: { id: parent.id } })
          .then(() => undefined);
      // The cancel takes another place among the other calls in each round.
      const calls = Array.from({ length: 7 }, (_, index) =>
        index === round % 7 ? cancel() : createUnder(index % 2 === 0 ? parent.id : child.id),
      );
      const made = (await Promise.all(calls)).filter((run) => run !== undefined);
      for (const run of [parent, child, ...made])
        expect(
          await client.call("GET /api/runs/:id", { params: { id: run.id } }),
          `round ${round}`,
        ).toMatchObject({
          cancelRequested: true,
        });
      tally.canceled += made.length;
      tally.refused += 6 - made.length;
    }
    // Both outcomes of the race occurred.
    expect(tally.canceled).toBeGreaterThan(20);
    expect(tally.refused).toBeGreaterThan(20);
  }, 300_000);
});
