// A program that embeds Bron on a memory store. It prints every module that it loaded.
import { registerHooks } from "node:module";

const loaded: string[] = [];
registerHooks({
  load(url, context, next) {
    loaded.push(url);
    return next(url, context);
  },
});
const { createRuntime, memoryStore } = await import("bron");
const { scriptedLanguageModel } = await import("@bron/testing");

const runtime = await createRuntime({
  store: memoryStore(),
  model: {
    model: scriptedLanguageModel(() => ({ text: "Done." })),
    name: "scripted",
    maxOutputTokens: 100,
  },
});
const run = await runtime.clientFor("local").call("POST /api/runs", { body: { prompt: "Say it" } });
for await (const _ of runtime.clientFor("local").events(run.id));
const { status } = await runtime
  .clientFor("local")
  .call("GET /api/runs/:id", { params: { id: run.id } });
await runtime.close();
process.stdout.write(JSON.stringify({ status, loaded }));
