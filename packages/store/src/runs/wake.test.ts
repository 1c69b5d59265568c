import type { Waker } from "@bron/core";
import { defaultCaps } from "@bron/protocol";
import { expect, inject, it, onTestFinished } from "vitest";
import { createTestDatabase } from "../../../../test/support/test-database.ts";
import { openDatabase } from "../database/database.ts";
import { migrate } from "../database/migrate.ts";
import { createPostgresStore } from "../postgres-store.ts";
import { createWakeWriter } from "./wake.ts";

it("RT12 an append without a lease does not change or wake a run of another owner", async () => {
  const { url, drop } = await createTestDatabase(inject("postgresUrl"));
  onTestFinished(drop);
  const database = await openDatabase({ url });
  onTestFinished(database.close);
  await migrate(database.db);
  const woken: string[] = [];
  const waker: Waker = {
    takesHere: () => true,
    enlist: () => Promise.resolve(),
    committed: ({ runId }) => void woken.push(runId),
  };
  const store = createPostgresStore(database, waker);
  const { run } = await store.runs.create({
    ownerId: "owner",
    input: { prompt: "task" },
    title: "task",
    caps: defaultCaps,
  });
  const before = woken.length;
  const writer = createWakeWriter(database.pool, waker);
  const append = (ownerId: string) =>
    writer.transaction((transaction) =>
      transaction.appendAndWake(ownerId, run.id, [
        { type: "auth", payload: { state: "connected", provider: "google" } },
      ]),
    );
  expect(await append("stranger")).toBe(false);
  expect(await store.runs.events("owner", run.id, 0)).toHaveLength(2);
  expect(woken.slice(before)).toEqual([]);
  expect(await append("owner")).toBe(true);
  expect(woken.slice(before)).toEqual([run.id]);
});
