import type { Client } from "@bron/client";
import { BronError, defineClientTool } from "@bron/core";
import { memoryStore } from "@bron/memory-store";
import { maxClientResultBytes, maxPromptBytes } from "@bron/protocol";
import { isFullSuite, randomFrom, scriptedLanguageModel } from "@bron/testing";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { createRuntime } from "./create-runtime.ts";
import type { Runtime } from "./runtime.ts";

const requests = isFullSuite ? 10_000 : 200;
const owners = ["eva", "max"] as const;
type Owner = (typeof owners)[number];

const look = defineClientTool({
  name: "look",
  description: "Reads the page.",
  input: z.object({}),
  output: z.object({ text: z.string() }),
  program: "page",
  deadlineMs: 3_600_000,
  ifExpired: "failed",
});

/** A run with an open question and a client action that a program has taken. */
interface Target {
  readonly owner: Owner;
  readonly runId: string;
  readonly questionId: string;
  readonly actionId: string;
  readonly secret: string;
}

interface Forged {
  readonly owner: Owner;
  readonly send: (client: Client) => Promise<unknown>;
  /** Whether it would be right after all, because several mutations fit together. */
  readonly isRight: boolean;
}

describe("forged, late, second and foreign requests", () => {
  let runtime: Runtime;
  let clients: Readonly<Record<Owner, Client>>;
  let open: Target[];
  let ended: Target;
  const random = randomFrom(17);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;

  const target = async (owner: Owner): Promise<Target> => {
    const client = clients[owner];
    const { id: runId } = await client.call("POST /api/runs", { body: { prompt: "Look and ask" } });
    const seen = new Set<string>();
    for await (const { type } of client.events(runId)) {
      seen.add(type);
      if (seen.has("client_action") && seen.has("question")) break;
    }
    const [question] = await client.list("GET /api/questions", { runId });
    const [action] = await client.list("GET /api/client-actions", { runId });
    const actionId = action?.id ?? "";
    const { secret } = await client.call("POST /api/runs/:id/actions/:actionId/take", {
      params: { id: runId, actionId },
      body: {},
    });
    return { owner, runId, questionId: question?.id ?? "", actionId, secret };
  };
  const finish = ({ owner, runId: id, actionId, secret }: Target) =>
    clients[owner].call("POST /api/runs/:id/actions/:actionId/finish", {
      params: { id, actionId },
      body: { secret, result: { text: "seen" } },
    });
  const answer = ({ owner, questionId: id }: Target) =>
    clients[owner].call("POST /api/questions/:id/answer", { params: { id }, body: { choice: 1 } });
  const complete = async (one: Target) => {
    await finish(one);
    await answer(one);
    for await (const _ of clients[one.owner].events(one.runId));
  };

  beforeAll(async () => {
    runtime = await createRuntime({
      store: memoryStore(),
      tools: [look],
      model: {
        name: "scripted",
        maxOutputTokens: 100,
        model: scriptedLanguageModel(({ options: { prompt } }) =>
          prompt.some(({ role }) => role === "tool")
            ? { text: "Done." }
            : {
                calls: [
                  { tool: "look", input: {} },
                  { tool: "ask_user", input: { question: "Tea?", choices: ["yes", "no"] } },
                ],
              },
        ),
      },
    });
    clients = { eva: runtime.clientFor("eva"), max: runtime.clientFor("max") };
    ended = await target("eva");
    await complete(ended);
    open = [await target("eva"), await target("eva"), await target("max")];
    await clients.eva.call("POST /api/runs/:id/messages", {
      params: { id: open[0]?.runId ?? "" },
      body: { content: "Hurry" },
      idempotencyKey: "said",
    });
  });
  afterAll(async () => await runtime.close());

  const anyTarget = () => pick([...open, ended]);
  const odd = () => pick([randomUUID(), "x", "", "../runs", "0", "%00", "a".repeat(5_000)]);
  const changed = (text: string) => {
    const at = Math.floor(random() * text.length);
    return `${text.slice(0, at)}${text[at] === "A" ? "B" : "A"}${text.slice(at + 1)}`;
  };
  /** Keeps the value two times in three. */
  const mutate = <T>(value: T, other: () => T): T => (random() < 0.66 ? value : other());

  const forgeFinish = (): Forged => {
    const from = anyTarget();
    const owner = mutate(from.owner, () => pick(owners));
    const runId = mutate(from.runId, () => mutate(anyTarget().runId, odd));
    const actionId = mutate(from.actionId, () =>
      pick([anyTarget().actionId, from.questionId, odd()]),
    );
    const secret = mutate<unknown>(from.secret, () =>
      pick<unknown>([
        pick(["", 7, null, "x".repeat(300)]),
        changed(from.secret),
        anyTarget().secret,
      ]),
    );
    const report = mutate<object>({ result: { text: "forged" } }, () =>
      pick<object>([
        { result: { text: 1 } },
        { result: { text: "x".repeat(maxClientResultBytes) } },
        { result: { text: "" }, error: "x" },
        { error: "" },
        { error: {} },
        {},
        { result: { text: "" }, more: 1 },
      ]),
    );
    const hit = open.find((one) => one.actionId === actionId);
    return {
      owner,
      isRight:
        hit !== undefined &&
        hit.owner === owner &&
        hit.runId === runId &&
        hit.secret === secret &&
        JSON.stringify(report) === '{"result":{"text":"forged"}}',
      send: (client) =>
        client.call("POST /api/runs/:id/actions/:actionId/finish", {
          params: { id: runId, actionId },
          body: { secret, ...report } as never,
        }),
    };
  };

  const forgeReply = (): Forged => {
    const from = anyTarget();
    const owner = mutate(from.owner, () => pick(owners));
    const id = mutate(from.questionId, () =>
      pick([anyTarget().questionId, from.actionId, from.runId, odd()]),
    );
    const body = mutate<object>({ typed: "forged" }, () =>
      pick<object>([
        {},
        { typed: "x", choice: 1 },
        { choice: 3 },
        { choice: 0 },
        { choice: 1.5 },
        { choice: "1" },
        { typed: " " },
        { typed: 7 },
        { typed: "x".repeat(10_001) },
      ]),
    );
    return {
      owner,
      isRight:
        open.some((one) => one.questionId === id && one.owner === owner) &&
        JSON.stringify(body) === '{"typed":"forged"}',
      send: (client) => client.call("POST /api/questions/:id/answer", { params: { id }, body }),
    };
  };

  const forgeWords = (): Forged => {
    const from = pick(open);
    const owner = mutate(from.owner, () => pick(owners));
    const runId = mutate(from.runId, () => pick([from.actionId, pick(open).runId, odd()]));
    const content = mutate<unknown>("Hurry", () =>
      pick<unknown>(["", "  ", 7, null, ["x"], "x".repeat(maxPromptBytes + 1)]),
    );
    const isReplayed = random() < 0.5;
    const isOwn = open.some((one) => one.runId === runId && one.owner === owner);
    return {
      owner,
      isRight: isOwn && content === "Hurry" && !(isReplayed && runId === open[0]?.runId),
      send: (client) =>
        client.call("POST /api/runs/:id/messages", {
          params: { id: runId },
          body: { content: content as string },
          idempotencyKey: isReplayed ? "said" : randomUUID(),
        }),
    };
  };

  const everything = async () =>
    await Promise.all(
      owners.map(async (owner) => ({
        logs: (await clients[owner].list("GET /api/runs")).map(({ id, lastSeq }) => [id, lastSeq]),
        actions: await clients[owner].list("GET /api/client-actions"),
        questions: await clients[owner].list("GET /api/questions"),
      })),
    );

  it(`X2 change nothing (${requests} of them)`, async () => {
    const before = await everything();
    const codes = new Map<string, number>();
    for (let sent = 0; sent < requests;) {
      const forged = pick([forgeFinish, forgeFinish, forgeReply, forgeWords])();
      if (forged.isRight) continue;
      sent++;
      const code = await forged.send(clients[forged.owner]).then(
        () => "repeated",
        (error: unknown) => (BronError.is(error) ? error.code : String(error)),
      );
      codes.set(code, (codes.get(code) ?? 0) + 1);
      if (sent % 100 === 0) expect(await everything()).toEqual(before);
    }
    expect(await everything()).toEqual(before);
    const known = ["conflict", "forbidden", "invalid_input", "not_found", "repeated", "too_large"];
    expect([...codes.keys()].toSorted()).toEqual(known);
    // What they imitate still works, once.
    for (const one of open) {
      await complete(one);
      await expect(finish(one)).rejects.toMatchObject({ code: "conflict" });
      await expect(answer(one)).rejects.toMatchObject({ code: "conflict" });
    }
  }, 300_000);
});
