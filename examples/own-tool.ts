// Defines a tool, starts a run and prints its events as they happen. Run: node examples/own-tool.ts
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chooseModel } from "@bron/models";
import { startDemoModel } from "@bron/demo-model";
import { createRuntime, defineTool } from "bron";
import { z } from "zod";

const home = await mkdtemp(join(tmpdir(), "bron-example-"));

// Any model with the AI SDK's provider interface works. This one is scripted and needs no key.
const demo = await startDemoModel();
const { model, modelId, maxOutputTokens } = chooseModel({ demoBaseUrl: demo.url });

const clock = defineTool({
  name: "clock",
  description: "Tells the time in a time zone.",
  input: z.object({ timezone: z.string().optional() }),
  repeatable: true,
  parallelSafe: true,
  execute: ({ timezone = "UTC" }) => ({
    timezone,
    time: new Date().toLocaleTimeString("en-GB", { timeZone: timezone }),
  }),
});

const runtime = await createRuntime({
  home,
  model: { model, name: modelId, maxOutputTokens },
  tools: [clock],
});
const client = runtime.clientFor("local");
const { id } = await client.call("POST /api/runs", {
  body: { prompt: "What time is it in Tokyo and in Paris?" },
});

for await (const event of client.events(id)) {
  if (event.type === "tool" && event.payload.phase === "end")
    console.log(`${event.seq} ${event.payload.name}:`, event.payload.output);
}
const { summary } = await client.call("GET /api/runs/:id", { params: { id } });
console.log(summary);

await runtime.close();
await demo.close();
await rm(home, { recursive: true, force: true });
