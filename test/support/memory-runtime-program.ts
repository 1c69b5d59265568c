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
const { run } = await runtime.runs.create("local", { prompt: "Say it" });
for await (const _ of runtime.runs.events("local", run.id));
const { status } = await runtime.runs.get("local", run.id);
await runtime.close();
process.stdout.write(JSON.stringify({ status, loaded }));
