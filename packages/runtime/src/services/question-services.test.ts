import { memoryStore } from "@bron/memory-store";
import { scriptedLanguageModel } from "@bron/testing";
import { afterEach, describe, expect, it } from "vitest";
import { createRuntime } from "../create-runtime.ts";
import type { Runtime } from "../runtime.ts";

describe("questions of runs, over the services", () => {
  const opened: Runtime[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((runtime) => runtime.close()));
  });
  const open = async () => {
    const runtime = await createRuntime({
      store: memoryStore(),
      model: {
        name: "scripted",
        maxOutputTokens: 100,
        model: scriptedLanguageModel(({ turn, options: { prompt } }) =>
          turn === 0
            ? {
                calls: [
                  { tool: "ask_user", input: { question: "Tea?", choices: ["yes\u200b", "no"] } },
                ],
              }
            : { text: JSON.stringify(prompt.at(-1)?.content) },
        ),
      },
    });
    opened.push(runtime);
    const client = runtime.clientFor("local");
    const { id } = await client.call("POST /api/runs", { body: { prompt: "Ask" } });
    for await (const _ of client.events(id, { untilParked: true }));
    const [question] = await client.list("GET /api/questions", { pending: "true" });
    return { client, clientOf: runtime.clientFor, runId: id, question: question! };
  };

  it.each([
    ["in the owner's words", { typed: "coffee" }, '"answer":"coffee","from":"typed"'],
    ["with the number of a choice", { choice: 2 }, '"answer":"no","from":"choice"'],
  ])("are answered %s, and the run goes on", async (_how, body, said) => {
    const { client, runId, question } = await open();
    const params = { id: question.id };
    expect(await client.call("POST /api/questions/:id/answer", { params, body })).toMatchObject({
      state: "answered",
    });
    for await (const _ of client.events(runId));
    const { summary } = await client.call("GET /api/runs/:id", { params: { id: runId } });
    expect(summary).toContain(said);
    await expect(
      client.call("POST /api/questions/:id/answer", { params, body }),
    ).rejects.toMatchObject({ code: "conflict" });
  });

  it("reject both forms at once, an empty answer, an unknown choice and another owner", async () => {
    const { client, clientOf, question } = await open();
    const params = { id: question.id };
    for (const body of [{}, { typed: "x", choice: 1 }, { choice: 3 }, { typed: "  " }])
      await expect(
        client.call("POST /api/questions/:id/answer", { params, body }),
      ).rejects.toMatchObject({ code: "invalid_input" });
    const stranger = clientOf("another");
    await expect(
      stranger.call("POST /api/questions/:id/answer", { params, body: { typed: "x" } }),
    ).rejects.toMatchObject({ code: "not_found" });
    expect(await stranger.list("GET /api/questions")).toEqual([]);
  });
});
