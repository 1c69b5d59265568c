import { createClient } from "@bron/client";
import { memoryStore } from "@bron/memory-store";
import { scopes } from "@bron/protocol";
import { scriptedLanguageModel } from "@bron/testing";
import { expect, it } from "vitest";
import { createRuntime } from "./create-runtime.ts";
import { inProcessTransport } from "./services/in-process-transport.ts";
import { createServices } from "./services/services.ts";

const ownerId = "local";
const about = { version: "", demoMail: false, demoModel: false, model: "", suggestions: [] };
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
  const { call } = createClient({
    transport: inProcessTransport({
      runtime,
      services: createServices({ runtime, about, ownerId }),
      caller: { ownerId, via: "terminal", scopes: [...scopes], email: null },
    }),
  });
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
