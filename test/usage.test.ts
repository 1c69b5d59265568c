import { api } from "@bron/protocol";
import { openDatabase, type OpenDatabase } from "@bron/store";
import { scriptedLanguageModel } from "@bron/testing";
import { defineTool } from "@bron/core";
import { createRuntime, type Runtime } from "@bron/runtime";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { createTestDatabase, type TestDatabase } from "./support/test-database.ts";

const price = { inputMicrousdPerMillion: 1_000_000, outputMicrousdPerMillion: 10_000_000 };
const nothing = {
  runs: 0,
  succeeded: 0,
  inPart: 0,
  couldNot: 0,
  needsAnswer: 0,
  deniedRuns: 0,
  failed: 0,
  canceled: 0,
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  costMicrousd: 0,
  approved: 0,
  denied: 0,
  toolCalls: 0,
};

describe("the usage of an owner", () => {
  let database: TestDatabase;
  let open: OpenDatabase;
  let runtime: Runtime;
  beforeAll(async () => {
    database = await createTestDatabase(inject("postgresUrl"));
    const send = defineTool({
      name: "send",
      description: "Sends.",
      input: z.object({}),
      sideEffect: true,
      execute: () => "sent",
    });
    const model = scriptedLanguageModel(({ turn, options }) => {
      const task = JSON.stringify(options.prompt);
      if (task.includes("task: fail"))
        return { finish: "content-filter", usage: { input: 7, output: 0 } };
      return turn === 0 && task.includes("task: send")
        ? { calls: [{ tool: "send", input: {} }], usage: { input: 100, output: 10 } }
        : { text: "Done.", usage: { input: 200, output: 20 } };
    });
    runtime = await createRuntime({
      databaseUrl: database.url,
      secretKey: "a secret key for tests that is long enough",
      model: { model, name: "scripted", maxOutputTokens: 100, price },
      tools: [send],
    });
    open = await openDatabase({ url: database.url, poolSize: 2 });
  });
  afterAll(async () => {
    await open.close();
    await runtime.close();
    await database.drop();
  });

  const owner = () => `owner-${randomUUID()}`;
  const run = async (ownerId: string, prompt: string, choice?: "approve" | "deny") => {
    const client = runtime.clientFor(ownerId);
    const { id } = await client.call("POST /api/runs", { body: { prompt: `task: ${prompt}` } });
    for await (const _ of client.events(id, { untilParked: true }));
    const [approval] = await client.list("GET /api/approvals", { runId: id, pending: "true" });
    if (choice !== undefined)
      await client.call(`POST /api/approvals/:id/${choice}`, {
        params: { id: approval!.id },
        body: { digest: approval!.digest },
      });
    if (choice !== undefined) for await (const _ of client.events(id));
    return await client.call("GET /api/runs/:id", { params: { id } });
  };
  /** The current day in that zone. */
  const today = (timeZone: string) => new Intl.DateTimeFormat("en-CA", { timeZone }).format();

  it("BR23 adds up runs, tokens, cost, calls and decisions by day, with a zero for every day without any", async () => {
    const ownerId = owner();
    const approved = await run(ownerId, "send it", "approve");
    const denied = await run(ownerId, "send it not", "deny");
    await run(ownerId, "fail");
    const waiting = await run(ownerId, "send it some day");
    await open.pool.query(
      "update runs set started_at = finished_at - interval '10 seconds' where owner_id = $1",
      [ownerId],
    );
    await open.pool.query(
      "update runs set started_at = finished_at - interval '60 seconds' where id = $1",
      [denied.id],
    );
    await open.pool.query(
      "update approvals a set created_at = r.finished_at - w.since, decided_at = r.finished_at - w.until, undo_until = null from runs r, (values ($1::uuid, interval '7 seconds', interval '2 seconds'), ($2::uuid, '45 seconds', '5 seconds')) w (id, since, until) where r.id = w.id and a.run_id = r.id",
      [approved.id, denied.id],
    );
    const usage = await runtime
      .clientFor(ownerId)
      .call("GET /api/usage", { query: { days: 3, zone: "UTC" } });
    expect(api["GET /api/usage"].response.parse(usage)).toEqual(usage);
    const cost = approved.spentMicrousd + denied.spentMicrousd + waiting.spentMicrousd;
    expect(approved.spentMicrousd).toBe(300 + 10 * 30);
    expect(usage.days.map(({ day, runs }) => ({ day, runs }))).toMatchObject([
      { runs: 0 },
      { runs: 0 },
      { day: today("UTC"), runs: 4 },
    ]);
    expect(usage.days.slice(0, 2)).toMatchObject([nothing, nothing]);
    const { costMicrousd, ...rest } = usage.total;
    expect(rest).toEqual({
      runs: 4,
      succeeded: 1,
      inPart: 0,
      couldNot: 0,
      needsAnswer: 0,
      deniedRuns: 1,
      failed: 1,
      canceled: 0,
      inputTokens: 300 + 300 + 100 + 7,
      cachedInputTokens: 0,
      outputTokens: 30 + 30 + 10,
      approved: 1,
      denied: 1,
      toolCalls: 3,
      successRate: 1 / 3,
      medianSeconds: expect.any(Number),
      workedSeconds: expect.any(Number),
      medianApprovalSeconds: expect.any(Number),
    });
    // The runs lasted 10, 10 and 60 seconds. The approvals below waited for all but a few of them.
    expect(usage.total.workedSeconds).toBeCloseTo(5 + 20 + 10, 1);
    expect(usage.total.medianSeconds).toBeCloseTo(10, 1);
    expect(usage.total.medianApprovalSeconds).toBeCloseTo((5 + 40) / 2, 1);
    expect(costMicrousd).toBeGreaterThanOrEqual(cost);
    expect(usage.days[2]).toMatchObject({
      costMicrousd,
      inputTokens: rest.inputTokens,
      approved: 1,
      denied: 1,
      toolCalls: 3,
    });
  });

  it("BR23 counts a run on the reader's day, not the database's, and none before the period", async () => {
    const ownerId = owner();
    const client = runtime.clientFor(ownerId);
    const { id } = await run(ownerId, "say");
    // Half an hour after midnight in Kolkata, which is the day before in UTC.
    await open.pool.query(
      "update runs set created_at = ((now() at time zone 'Asia/Kolkata')::date::timestamp + interval '30 minutes') at time zone 'Asia/Kolkata' where id = $1",
      [id],
    );
    const there = await client.call("GET /api/usage", { query: { days: 1, zone: "Asia/Kolkata" } });
    expect(there.days).toMatchObject([{ day: today("Asia/Kolkata"), runs: 1, succeeded: 1 }]);
    const { days } = await client.call("GET /api/usage", { query: { days: 4, zone: "UTC" } });
    const dayBefore = new Date(Date.parse(today("Asia/Kolkata")) - 86_400_000)
      .toISOString()
      .slice(0, 10);
    expect(days.find(({ runs }) => runs > 0)?.day).toBe(dayBefore);
    await open.pool.query(
      "update runs set created_at = created_at - interval '1 day' where id = $1",
      [id],
    );
    expect(
      (await client.call("GET /api/usage", { query: { days: 1, zone: "Asia/Kolkata" } })).total,
    ).toMatchObject({
      runs: 0,
      successRate: null,
      medianSeconds: null,
    });
  });

  it("BR23 has every day of a year once, in order, also where clocks change", async () => {
    const { days, total } = await runtime
      .clientFor(owner())
      .call("GET /api/usage", { query: { days: 366, zone: "America/Sao_Paulo" } });
    expect(days).toHaveLength(366);
    expect(days.map(({ day }) => day)).toEqual([...new Set(days.map(({ day }) => day))].toSorted());
    expect(days.at(-1)?.day).toBe(today("America/Sao_Paulo"));
    expect(total).toEqual({
      ...nothing,
      successRate: null,
      medianSeconds: null,
      workedSeconds: 0,
      medianApprovalSeconds: null,
    });
  });

  it("BR23 refuses unknown zones and invalid periods", async () => {
    const client = runtime.clientFor("local");
    for (const zone of ["Mars/Olympus", "", "a\u0000b", "'; drop table runs"])
      await expect(
        client.call("GET /api/usage", { query: { days: 1, zone } }),
      ).rejects.toMatchObject({
        code: "invalid_input",
      });
    for (const days of [0, 1.5, 367, Number.NaN])
      await expect(
        client.call("GET /api/usage", { query: { days, zone: "UTC" } }),
      ).rejects.toMatchObject({
        code: "invalid_input",
      });
  });
});
