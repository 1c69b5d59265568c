import { memoryStore } from "@bron/memory-store";
import { scriptedLanguageModel } from "@bron/testing";
import { expect, it } from "vitest";
import { createRuntime } from "./create-runtime.ts";

const named = (name: string) => ({
  model: scriptedLanguageModel(() => ({ text: `I am ${name}.` })),
  name,
  maxOutputTokens: 100,
});

it("runs a task with the model that it names, and refuses others with the known names", async () => {
  await using runtime = await createRuntime({
    store: memoryStore(),
    model: named("a/main"),
    lastResortModel: named("b/spare"),
    otherModels: [named("c/other")],
  }).then((made) => Object.assign(made, { [Symbol.asyncDispose]: () => made.close() }));
  const { call } = runtime.clientFor("local");
  const { id } = await call("POST /api/runs", { body: { prompt: "who are you?", model: "other" } });
  const summary = async () => (await call("GET /api/runs/:id", { params: { id } })).summary;
  await expect.poll(summary).toBe("I am c/other.");
  await expect(
    call("POST /api/runs", { body: { prompt: "who are you?", model: "nobody" } }),
  ).rejects.toMatchObject({
    code: "invalid_input",
    message: 'model: there is no model "nobody" here. Choose one of: a/main, c/other, b/spare.',
  });
});
