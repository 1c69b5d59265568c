import { BronError, defineTool } from "@bron/core";
import type { BronView } from "@bron/protocol";
import { openDatabase, type OpenDatabase } from "@bron/store";
import { scriptedLanguageModel } from "@bron/testing";
import { createRuntime, type Runtime } from "@bron/runtime";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { createTestDatabase, type TestDatabase } from "./support/test-database.ts";

const send = defineTool({
  name: "send",
  description: "Sends.",
  input: z.object({ to: z.string() }),
  sideEffect: true,
  execute: () => "sent",
});
const look = defineTool({
  name: "look",
  group: "mail",
  description: "Looks.",
  input: z.object({}),
  execute: () => {
    throw new BronError("missing_credentials", "Connect the mailbox first.", {
      details: { provider: "google" },
    });
  },
});
const turns: Record<string, { tool: string; input: unknown }> = {
  send: { tool: "send", input: { to: "eva" } },
  look: { tool: "look", input: {} },
};

describe("Brons and their status", () => {
  let database: TestDatabase;
  let open: OpenDatabase;
  let runtime: Runtime;
  beforeAll(async () => {
    database = await createTestDatabase(inject("postgresUrl"));
    const model = scriptedLanguageModel(({ turn, options }) => {
      const task = JSON.stringify(options.prompt);
      const call = Object.keys(turns).find((name) => task.includes(`task: ${name}`));
      return turn === 0 && call !== undefined
        ? { calls: [turns[call]!] }
        : task.includes("task: fail")
          ? { finish: "content-filter" }
          : { text: "Done." };
    });
    runtime = await createRuntime({
      databaseUrl: database.url,
      secretKey: "a secret key for tests that is long enough",
      model: { model, name: "scripted", maxOutputTokens: 100 },
      tools: [send, look],
    });
    open = await openDatabase({ url: database.url, poolSize: 2 });
  });
  afterAll(async () => {
    await open.close();
    await runtime.close();
    await database.drop();
  });

  const owner = () => `owner-${randomUUID()}`;
  const run = async (ownerId: string, bronId: string, task: string) => {
    const client = runtime.clientFor(ownerId);
    const { id } = await client.call("POST /api/runs", {
      body: {
        prompt: `task: ${task}`,
        title: task,
        bronId,
      },
    });
    for await (const _ of client.events(id, {
      untilParked: true,
      signal: AbortSignal.timeout(20_000),
    }));
    return id;
  };
  /** Moves everything that the Bron did back in time by `interval`. */
  const age = async (bronId: string, interval: string) =>
    await open.pool.query(
      `update runs set created_at = created_at - $2::interval, finished_at = finished_at - $2::interval where bron_id = $1`,
      [bronId, interval],
    );
  const audited = async (ownerId: string) =>
    (await runtime.clientFor(ownerId).list("GET /api/audit"))
      .map(({ what, by, details }) => ({ what, by, details }))
      .toReversed();

  it("BR1 gives an owner without Brons the default one, idle and without a run", async () => {
    const ownerId = owner();
    const client = runtime.clientFor(ownerId);
    const [only, ...others] = (await client.call("GET /api/brons")).brons;
    expect(others).toEqual([]);
    expect(only).toMatchObject({
      isDefault: true,
      status: "idle",
      latestRun: null,
      latestCard: null,
      pendingApprovals: 0,
      lastActivityAt: only?.createdAt,
      trustLevel: "supervised",
    });
    expect((await client.call("GET /api/brons")).brons).toEqual([only]);
    expect(await client.call("GET /api/brons/:id", { params: { id: only!.id } })).toEqual(only);
  });

  it("BR1 shows the status, title and card of the most relevant run, ordered by latest activity", async () => {
    const ownerId = owner();
    const client = runtime.clientFor(ownerId);
    const make = async (name: string) =>
      (await client.call("POST /api/brons", { body: { name } })).id;
    const [asks, needs, done, failed, old] = [
      await make("asks"),
      await make("needs"),
      await make("done"),
      await make("failed"),
      await make("old"),
    ];
    await run(ownerId, old, "say");
    await age(old, "25 hours");
    const ids = {
      failed: await run(ownerId, failed, "fail"),
      done: await run(ownerId, done, "say"),
      needs: await run(ownerId, needs, "look"),
      asks: await run(ownerId, asks, "send"),
    };
    const { brons: listed } = await client.call("GET /api/brons");
    expect(listed.map(({ name, status }) => [name, status])).toEqual([
      ["asks", "needs_approval"],
      ["needs", "needs_auth"],
      ["done", "completed"],
      ["failed", "failed"],
      ["old", "idle"],
      ["Assistant", "idle"],
    ]);
    const [asking, needing, completed, , idle] = listed as [
      BronView,
      BronView,
      BronView,
      BronView,
      BronView,
    ];
    expect(asking).toMatchObject({
      latestRun: { id: ids.asks, title: "send", status: "awaiting_confirmation" },
      latestCard: { kind: "ApprovalCard" },
      pendingApprovals: 1,
    });
    expect(asking.latestCard?.text).toContain("eva");
    expect(needing).toMatchObject({
      latestRun: { id: ids.needs, status: "awaiting_auth" },
      latestCard: { kind: "ReconnectCard", text: "Connect the mailbox first." },
      pendingApprovals: 0,
    });
    expect(completed).toMatchObject({
      latestRun: { id: ids.done, title: "say", status: "completed" },
      latestCard: { kind: "RunSummaryCard", text: "", outcome: "succeeded", did: [] },
    });
    expect(completed.lastActivityAt).toBe(
      (await client.call("GET /api/runs/:id", { params: { id: ids.done } })).finishedAt,
    );
    expect(idle.latestRun).toMatchObject({ title: "say", status: "completed" });
    expect(
      (await client.call("GET /api/brons", { query: { status: "idle" } })).brons.map(
        ({ name }) => name,
      ),
    ).toEqual(["old", "Assistant"]);
    expect(
      (
        await runtime
          .clientFor(owner())
          .call("GET /api/brons", { query: { status: "needs_approval" } })
      ).brons,
    ).toEqual([]);
  });

  it("BR1 shows a pending approval whatever was started later and however long it waits, and then the run that ended last", async () => {
    const ownerId = owner();
    const client = runtime.clientFor(ownerId);
    const { id } = await client.call("POST /api/brons", { body: { name: "Mail" } });
    const waiting = await run(ownerId, id, "send");
    await run(ownerId, id, "look");
    const newest = await run(ownerId, id, "say");
    await age(id, "3 days");
    expect(await client.call("GET /api/brons/:id", { params: { id } })).toMatchObject({
      status: "needs_approval",
      latestRun: { id: waiting },
      pendingApprovals: 1,
    });
    const [approval] = await client.list("GET /api/approvals", { runId: waiting });
    await client.call("POST /api/approvals/:id/deny", {
      params: { id: approval!.id },
      body: { digest: approval!.digest },
    });
    for await (const _ of client.events(waiting));
    expect(await client.call("GET /api/brons/:id", { params: { id } })).toMatchObject({
      status: "needs_auth",
      latestRun: { title: "look" },
      pendingApprovals: 0,
    });
    await client.call("POST /api/stop");
    await expect
      .poll(async () => await client.call("GET /api/brons/:id", { params: { id } }))
      .toMatchObject({ status: "canceled", latestRun: { title: "look" } });
    await open.pool.query("update runs set finished_at = clock_timestamp() where id = $1", [
      newest,
    ]);
    expect(await client.call("GET /api/brons/:id", { params: { id } })).toMatchObject({
      status: "completed",
      latestRun: { id: newest },
    });
  });

  it("BR1 BR16 shows a parent run, not its child runs", async () => {
    const ownerId = owner();
    const client = runtime.clientFor(ownerId);
    const [first] = (await client.call("GET /api/brons")).brons;
    const parent = await client.call("POST /api/runs", {
      body: {
        prompt: "task: send",
        title: "whole",
      },
    });
    for await (const _ of client.events(parent.id, {
      untilParked: true,
      signal: AbortSignal.timeout(20_000),
    }));
    const { run: child } = await runtime.startRun(
      ownerId,
      { prompt: "task: say", title: "part" },
      { parentRunId: parent.id },
    );
    for await (const _ of client.events(child.id, {
      signal: AbortSignal.timeout(20_000),
    }));
    expect(
      await client.call("GET /api/brons/:id", { params: { id: first?.id ?? "" } }),
    ).toMatchObject({
      latestRun: { id: parent.id, title: "whole" },
      status: "needs_approval",
    });
    await client.call("POST /api/runs/:id/cancel", { params: { id: parent.id } });
    for await (const _ of client.events(parent.id, {
      signal: AbortSignal.timeout(20_000),
    }));
    expect(
      await client.call("GET /api/brons/:id", { params: { id: first?.id ?? "" } }),
    ).toMatchObject({
      latestRun: { id: parent.id },
      status: "canceled",
    });
  });

  it("BR1 shows a Bron with a queued run as running", async () => {
    const ownerId = owner();
    const client = runtime.clientFor(ownerId);
    const { id } = await client.call("POST /api/brons", { body: { name: "Later" } });
    await client.call("POST /api/runs", {
      body: { prompt: "later", bronId: id, delayMs: 3_600_000 },
    });
    expect(await client.call("GET /api/brons/:id", { params: { id } })).toMatchObject({
      status: "running",
      latestRun: { status: "queued" },
    });
  });

  it("BR1 BR9 lists the runs of one Bron", async () => {
    const ownerId = owner();
    const client = runtime.clientFor(ownerId);
    const [first, second] = [
      await client.call("POST /api/brons", { body: { name: "first" } }),
      await client.call("POST /api/brons", { body: { name: "second" } }),
    ];
    const ids = [
      await run(ownerId, first.id, "say"),
      await run(ownerId, second.id, "say"),
      await run(ownerId, first.id, "fail"),
    ] as const;
    expect((await client.list("GET /api/runs", { bronId: first.id })).map(({ id }) => id)).toEqual([
      ids[2],
      ids[0],
    ]);
    expect(
      (await client.list("GET /api/runs", { bronId: first.id, status: "completed" })).map(
        ({ id }) => id,
      ),
    ).toEqual([ids[0]]);
    expect(
      (await client.list("GET /api/runs", { bronId: second.id, limit: 1 })).map(({ id }) => id),
    ).toEqual([ids[1]]);
  });

  it("BR9 lists the tools that runs can use, by name", async () => {
    const { tools } = await runtime.clientFor("local").call("GET /api/tools");
    expect(tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name).toSorted());
    expect(tools).toEqual(
      expect.arrayContaining([
        { name: "look", description: "Looks.", sideEffect: false, group: "mail" },
        { name: "send", description: "Sends.", sideEffect: true, group: "general" },
      ]),
    );
  });

  it("BR1 gives sixteen Brons that are created at once different colors, and keeps a chosen color", async () => {
    const ownerId = owner();
    const client = runtime.clientFor(ownerId);
    await client.call("POST /api/brons", { body: { name: "chosen", avatarColor: "#123456" } });
    await Promise.all(
      Array.from({ length: 15 }, (_, index) =>
        client.call("POST /api/brons", { body: { name: `${index}` } }),
      ),
    );
    const colors = (await client.call("GET /api/brons")).brons.map(
      ({ avatarColor }) => avatarColor,
    );
    expect(colors).toHaveLength(17);
    expect(new Set(colors).size).toBe(17);
    expect(colors).toContain("#123456");
    expect(
      (await client.call("POST /api/brons", { body: { name: "one more" } })).avatarColor,
    ).toMatch(/^#[0-9a-f]{6}$/);
  });

  it("BR9 RT12 stores changes and records the changed fields in the audit log, and a trust level in a separate row", async () => {
    const ownerId = owner();
    const client = runtime.clientFor(ownerId);
    const made = await client.call("POST /api/brons", {
      body: {
        name: "  Mail ",
        systemPrompt: "Be \u0000 short.",
        trustLevel: "delegated",
      },
    });
    expect(made).toMatchObject({
      name: "Mail",
      systemPrompt: "Be \uFFFD short.",
      trustLevel: "delegated",
      isDefault: false,
    });
    const changed = await client.call("PATCH /api/brons/:id", {
      params: { id: made.id },
      body: {
        name: "Post",
        memorySummary: "Likes tea.",
        avatarColor: made.avatarColor,
        trustLevel: "autonomous",
      },
    });
    expect(changed).toMatchObject({
      name: "Post",
      memorySummary: "Likes tea.",
      systemPrompt: made.systemPrompt,
      avatarColor: made.avatarColor,
      trustLevel: "autonomous",
    });
    expect(
      await client.call("PATCH /api/brons/:id", {
        params: { id: made.id },
        body: { name: "Post", trustLevel: "autonomous" },
      }),
    ).toEqual(changed);
    expect(
      await client.call("PATCH /api/brons/:id", { params: { id: made.id }, body: {} }),
    ).toEqual(changed);
    expect(await audited(ownerId)).toEqual([
      {
        what: "bron.created",
        by: "owner",
        details: { bronId: made.id, name: "Mail", trustLevel: "delegated" },
      },
      {
        what: "bron.changed",
        by: "owner",
        details: { bronId: made.id, changed: ["name", "memorySummary"] },
      },
      {
        what: "trust.changed",
        by: "owner",
        details: { bronId: made.id, trustLevel: "autonomous" },
      },
    ]);
  });

  it("BR9 RT12 refuses invalid values, and finds nothing of another owner", async () => {
    const ownerId = owner();
    const client = runtime.clientFor(ownerId);
    const { id } = await client.call("POST /api/brons", { body: { name: "Mail" } });
    for (const wrong of [
      { name: " " },
      { name: "x", avatarColor: "red" },
      { name: "x", isDefault: true },
    ])
      await expect(client.call("POST /api/brons", { body: wrong })).rejects.toMatchObject({
        code: "invalid_input",
      });
    const stranger = owner();
    await expect(
      runtime.clientFor(stranger).call("GET /api/brons/:id", { params: { id } }),
    ).rejects.toMatchObject({ code: "not_found" });
    await expect(
      client.call("GET /api/brons/:id", { params: { id: "nonsense" } }),
    ).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(
      runtime.clientFor(stranger).call("PATCH /api/brons/:id", {
        params: { id },
        body: { name: "Mine", trustLevel: "autonomous" },
      }),
    ).rejects.toMatchObject({ code: "not_found" });
    expect(await client.call("GET /api/brons/:id", { params: { id } })).toMatchObject({
      name: "Mail",
      trustLevel: "supervised",
    });
    expect(
      (await runtime.clientFor(stranger).call("GET /api/brons")).brons.map(
        ({ isDefault }) => isDefault,
      ),
    ).toEqual([true]);
  });
});
