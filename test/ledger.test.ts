import { openDatabase } from "@bron/store";
import { scriptedLanguageModel } from "@bron/testing";
import { defineTool } from "@bron/core";
import { createRuntime, type Runtime } from "@bron/runtime";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { createTestDatabase, type TestDatabase } from "./support/test-database.ts";

describe("the ledger, with the digest that the owner saw", () => {
  let database: TestDatabase;
  let runtime: Runtime;
  const sent: unknown[] = [];
  beforeAll(async () => {
    database = await createTestDatabase(inject("postgresUrl"));
    const send = defineTool({
      name: "send",
      description: "Sends.",
      input: z.object({ to: z.string() }),
      sideEffect: true,
      execute(prepared: { to: string }) {
        sent.push(prepared);
        return "sent";
      },
    });
    const model = scriptedLanguageModel(({ turn }) =>
      turn === 0 ? { calls: [{ tool: "send", input: { to: "eva" } }] } : { text: "Done." },
    );
    runtime = await createRuntime({
      databaseUrl: database.url,
      secretKey: "a secret key for tests that is long enough",
      model: { model, name: "scripted", maxOutputTokens: 100 },
      tools: [send],
    });
  });
  afterAll(async () => {
    await runtime.close();
    await database.drop();
  });

  const park = async () => {
    const client = runtime.clientFor("local");
    const run = await client.call("POST /api/runs", { body: { prompt: "send it" } });
    for await (const _ of client.events(run.id, { untilParked: true }));
    const [approval] = await client.list("GET /api/approvals", { runId: run.id, pending: "true" });
    return { run, approval: approval! };
  };
  const end = async (runId: string) => {
    const client = runtime.clientFor("local");
    for await (const _ of client.events(runId));
    return await client.call("GET /api/runs/:id", { params: { id: runId } });
  };

  it("X1 does nothing when the prepared form in the log differs from the approved one", async () => {
    const client = runtime.clientFor("local");
    const { run, approval } = await park();
    const { pool, close } = await openDatabase({ url: database.url, poolSize: 1 });
    await pool.query(
      `update run_log set events = (select json_agg(case when e ->> 'type' = 'effect' then jsonb_set(e, '{payload,prepared,to}', '"mallory"') else e end) from jsonb_array_elements(events::jsonb) e) where run_id = $1`,
      [run.id],
    );
    await close();
    await client.call("POST /api/approvals/:id/approve", {
      params: { id: approval.id },
      body: { digest: approval.digest },
    });
    await end(run.id);
    expect(sent).toEqual([]);
    expect(
      (await client.call("GET /api/runs/:id/effects", { params: { id: run.id } })).effects,
    ).toMatchObject([{ state: "failed" }]);
  });

  it("BR14 X1 refuses another digest, a second decision and another owner, and carries out the effect once", async () => {
    const client = runtime.clientFor("local");
    const { run, approval } = await park();
    await expect(
      client.call("POST /api/approvals/:id/approve", {
        params: { id: approval.id },
        body: { digest: `${approval.digest}0` },
      }),
    ).rejects.toMatchObject({ code: "digest_mismatch" });
    await expect(
      runtime.clientFor("someone").call("POST /api/approvals/:id/approve", {
        params: { id: approval.id },
        body: { digest: approval.digest },
      }),
    ).rejects.toMatchObject({ code: "not_found" });
    const results = await Promise.allSettled(
      Array.from({ length: 5 }, () =>
        client.call("POST /api/approvals/:id/approve", {
          params: { id: approval.id },
          body: { digest: approval.digest },
        }),
      ),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await end(run.id)).toMatchObject({ status: "completed" });
    expect(sent).toEqual([{ to: "eva" }]);
    await expect(
      client.call("POST /api/approvals/:id/approve", {
        params: { id: approval.id },
        body: { digest: approval.digest },
      }),
    ).rejects.toMatchObject({ code: "approval_closed" });
  });

  it("RT12 writes an audit row for every decision, attempt and outcome", async () => {
    const client = runtime.clientFor("local");
    const { run, approval } = await park();
    await client.call("POST /api/approvals/:id/approve", {
      params: { id: approval.id },
      body: { digest: approval.digest },
    });
    await end(run.id);
    const rows = (await client.list("GET /api/audit", { runId: run.id })).toReversed();
    expect(rows.map(({ what }) => what)).toEqual([
      "effect.awaiting_confirmation",
      "approval.requested",
      "approval.approved",
      "approval.used",
      "effect.attempting",
      "effect.done",
    ]);
    expect(rows[0]?.details).toEqual({ to: "eva" });
    expect(new Set(rows.map(({ digest }) => digest))).toEqual(new Set([approval.digest]));
  });
});
