import type { RunEvent } from "@bron/protocol";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../test/support/test-database.ts";
import { tempFolder } from "@bron/testing";
import { runBronInProcess, type Variables } from "./spawn-bron.fixture.ts";

const timeout = 60_000;
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase(inject("postgresUrl"));
});
afterAll(() => database.drop());

async function eventsOf(home: string, task: string, variables: Variables): Promise<RunEvent[]> {
  const { out, err } = await runBronInProcess(["run", task, "--json"], {
    BRON_HOME: home,
    DATABASE_URL: database.url,
    BRON_SECRET_KEY: "k".repeat(32),
    ...variables,
  });
  expect(out, err).not.toBe("");
  return out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as RunEvent);
}

test(
  "RT11 AGENT_SIDE_EFFECTS_ENABLED=false blocks an effect by name, without asking for approval",
  { timeout },
  async () => {
    const home = await tempFolder();
    const events = await eventsOf(home, 'Post "hello" to the team board', {
      AGENT_SIDE_EFFECTS_ENABLED: "false",
    });
    expect(events.filter(({ type }) => type === "approval")).toEqual([]);
    expect(JSON.stringify(events)).toContain("AGENT_SIDE_EFFECTS_ENABLED");
    expect(existsSync(join(home, "boards", "team.txt"))).toBe(false);
  },
);

test("BR21 BRON_CAP_MODEL_TURNS limits a run", { timeout }, async () => {
  const events = await eventsOf(await tempFolder(), "What is 17% of 2340?", {
    BRON_CAP_MODEL_TURNS: "1",
  });
  expect(JSON.stringify(events.findLast(({ type }) => type === "ui"))).toContain("cap_model_turns");
});
