import { defineClientTool } from "@bron/core";
import { createRuntime, type PostgresRuntime } from "@bron/runtime";
import { createServer, type BronServer } from "@bron/server";
import { openDatabase, type OpenDatabase } from "@bron/store";
import { isFullSuite, randomFrom, scriptedLanguageModel } from "@bron/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { ask } from "../support/http/ask.ts";
import { noServerLimits } from "../support/http/no-server-limits.ts";
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts";
import {
  createForger,
  repetition,
  usedContent,
  usedKey,
  type ForgedRequest,
  type Owner,
  type Target,
} from "./support/forge-request.ts";

const count = isFullSuite ? 10_000 : 150;
const lanes = 4;

const look = defineClientTool({
  name: "look",
  description: "Reads the page.",
  input: z.object({}),
  output: z.object({ text: z.string() }),
  program: "page",
  deadlineMs: 3_600_000,
  ifExpired: "failed",
});

const model = scriptedLanguageModel(({ options: { prompt } }) =>
  prompt.some(({ role }) => role === "tool")
    ? { text: "Done." }
    : {
        calls: [
          { tool: "look", input: {} },
          { tool: "ask_user", input: { question: "Tea?", choices: ["yes", "no"] } },
        ],
      },
);

/** Forged, late, second and foreign finishes, answers and words. */
describe("forged requests over HTTP", () => {
  let test: TestDatabase;
  let database: OpenDatabase;
  let runtime: PostgresRuntime;
  let server: BronServer;
  let tokens: Readonly<Record<Owner, { readonly all: string; readonly read: string }>>;
  let targets: Target[];

  const openTarget = async (owner: Owner): Promise<Target> => {
    const client = runtime.clientFor(owner);
    const { id: runId } = await client.call("POST /api/runs", { body: { prompt: "Look and ask" } });
    for await (const _ of client.events(runId, { untilParked: true }));
    const [question] = await client.list("GET /api/questions", { runId });
    const [action] = await client.list("GET /api/client-actions", { runId });
    const actionId = action?.id ?? "";
    const { secret } = await client.call("POST /api/runs/:id/actions/:actionId/take", {
      params: { id: runId, actionId },
      body: {},
    });
    return { owner, runId, questionId: question?.id ?? "", actionId, secret, hasEnded: false };
  };
  const finish = ({ owner, runId: id, actionId, secret }: Target) =>
    runtime.clientFor(owner).call("POST /api/runs/:id/actions/:actionId/finish", {
      params: { id, actionId },
      body: { secret, result: { text: "seen" } },
    });
  const answer = ({ owner, questionId: id }: Target) =>
    runtime
      .clientFor(owner)
      .call("POST /api/questions/:id/answer", { params: { id }, body: { choice: 1 } });
  const complete = async (target: Target) => {
    await finish(target);
    await answer(target);
    for await (const _ of runtime.clientFor(target.owner).events(target.runId));
  };

  beforeAll(async () => {
    test = await createTestDatabase(inject("postgresUrl"));
    database = await openDatabase({ url: test.url });
    runtime = await createRuntime({
      databaseUrl: test.url,
      secretKey: "a secret key for tests that is long enough",
      tools: [look],
      model: { model, name: "scripted", maxOutputTokens: 100 },
    });
    server = await createServer({
      ...noServerLimits,
      runtime,
      ownerId: "local",
      host: "127.0.0.1",
      port: 0,
      serverId: "s",
    });
    const tokenOf = async (owner: Owner, scopes: ("read" | "run" | "approve" | "manage")[]) =>
      (await runtime.tokens.create(owner, { name: scopes.join(" "), scopes })).token;
    const tokensOf = async (owner: Owner) => ({
      all: await tokenOf(owner, ["read", "run", "approve", "manage"]),
      read: await tokenOf(owner, ["read"]),
    });
    tokens = { eva: await tokensOf("eva"), max: await tokensOf("max") };
    const ended = await openTarget("eva");
    await complete(ended);
    targets = [
      await openTarget("eva"),
      await openTarget("eva"),
      await openTarget("max"),
      { ...ended, hasEnded: true },
    ];
    await runtime.clientFor("eva").call("POST /api/runs/:id/messages", {
      params: { id: targets[0]!.runId },
      body: { content: usedContent },
      idempotencyKey: usedKey,
    });
    for (const { owner, runId } of targets)
      for await (const _ of runtime.clientFor(owner).events(runId, { untilParked: true }));
  });
  afterAll(async () => {
    await server.close();
    await runtime.close();
    await database.close();
    await test.drop();
  });

  const send = ({ owner, signIn, path, body, contentType, idempotencyKey }: ForgedRequest) =>
    ask(`${server.url}${path}`, {
      method: "POST",
      headers: {
        "content-type": contentType,
        "idempotency-key": idempotencyKey,
        ...(signIn === "none"
          ? {}
          : { authorization: `Bearer ${signIn === "wrong" ? "forged" : tokens[owner][signIn]}` }),
      },
      body,
    });

  /** Every row that such a request could change. */
  const everything = async () => {
    const tables = [
      "run_log",
      "questions",
      "client_actions",
      "actions",
      "bron_messages",
      "used_keys",
    ];
    const digests: Record<string, string> = {};
    for (const table of tables) {
      const { rows } = await database.pool.query<{ rows: string }>(
        `select count(*) || ' ' || md5(string_agg(t::text, ',' order by t::text)) as rows from ${table} t`,
      );
      digests[table] = rows[0]?.rows ?? "";
    }
    const { rows } = await database.pool.query("select id, status, last_seq from runs order by id");
    return { digests, runs: rows };
  };

  it(`X2 BR25 are refused with the right status and change nothing (${count} of them)`, async () => {
    const forge = createForger(randomFrom(17), targets);
    const before = await everything();
    const statuses = new Map<number, number>();
    const wrong: string[] = [];
    let sent = 0;
    const lane = async () => {
      while (sent < count) {
        const forged = forge();
        if (forged.status === 200 && !forged.isRepeated) continue;
        sent++;
        const { status, text } = await send(forged);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status !== forged.status)
          wrong.push(
            `${forged.status}: ${status} ${JSON.stringify({ ...forged, body: forged.body.slice(0, 200), path: forged.path.slice(0, 200) })} ${text.slice(0, 300)}`,
          );
        if (sent % 2_000 === 0) expect(await everything()).toEqual(before);
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    expect(wrong).toEqual([]);
    expect(await send(repetition(targets[0]!))).toMatchObject({ status: 200 });
    expect(await everything()).toEqual(before);
    for (const status of [400, 401, 403, 404, 409, 413, 415])
      expect(statuses.get(status)).toBeGreaterThan(0);
    // What they imitate still works, once.
    for (const target of targets.filter(({ hasEnded }) => !hasEnded)) {
      await complete(target);
      await expect(finish(target)).rejects.toMatchObject({ code: "conflict" });
      await expect(answer(target)).rejects.toMatchObject({ code: "conflict" });
    }
  }, 600_000);
});
