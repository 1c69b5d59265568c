import { googleConnector, slackConnector, webFetchTool } from "@bron/connectors";
import { documentTools, readForModel } from "@bron/documents";
import { memoryStore } from "@bron/memory-store";
import { createRuntime } from "@bron/runtime";
import { scriptedLanguageModel, type Script } from "@bron/testing";
import { expect, it, onTestFinished } from "vitest";

const ownerId = "local";

async function open(script: Script) {
  const model = scriptedLanguageModel(script);
  const runtime = await createRuntime({
    store: memoryStore(),
    model: { model, name: "scripted", maxOutputTokens: 100 },
    sideEffects: false,
    upkeepAfterMs: 0,
    tools: [
      ...documentTools(),
      webFetchTool({ read: readForModel, gateway: "http://127.0.0.1:9" }),
    ],
    connectors: [
      googleConnector({ config: { clientId: "c", clientSecret: "s" } }),
      slackConnector({ config: { botToken: "xoxb-1" } }),
    ],
  });
  onTestFinished(() => runtime.close());
  return { runtime, model, client: runtime.clientFor(ownerId) };
}

it("RT9 BR12 offers the tools for mail, calendar, memory, Slack, the web and child runs, and none that takes a token", async () => {
  const { client, model } = await open(() => ({ text: "Done." }));
  const { tools } = await client.call("GET /api/tools");
  expect(tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      "gmail_draft_create",
      "gmail_search",
      "gmail_thread_read",
      "gmail_reply",
      "gmail_send",
      "calendar_event_create",
      "calendar_event_update",
      "calendar_search",
      "save_memory",
      "search_memory",
      "slack_channels",
      "slack_read",
      "gmail_message_read",
      "gmail_attachment_get",
      "gmail_draft_send",
      "web_fetch",
      "emit_ui",
      "spawn_bron",
      "await_bron",
    ]),
  );
  await client.call("POST /api/runs", { body: { prompt: "Hello" } });
  await expect.poll(() => model.calls.length).toBeGreaterThan(0);
  const fields = (model.calls[0]?.tools ?? []).flatMap((tool) =>
    tool.type === "function" ? Object.keys(tool.inputSchema.properties ?? {}) : [],
  );
  expect(fields.length).toBeGreaterThan(20);
  expect(fields.filter((field) => /token|approval/i.test(field))).toEqual([]);
});

it("RT9 RT11 BR15 remembers with side effects switched off, and renews the summary by itself", async () => {
  const { client } = await open(({ options, turn }) => {
    const [system] = options.prompt;
    if (system?.role === "system" && system.content.startsWith("[MEMORY SUMMARY]"))
      return { text: "Likes tea." };
    return turn === 0
      ? { calls: [{ tool: "save_memory", input: { text: "I like tea" } }] }
      : { text: "Done." };
  });
  const { id, bronId } = await client.call("POST /api/runs", {
    body: { prompt: "Remember that I like tea." },
  });
  for await (const _ of client.events(id, { untilParked: true }));
  expect(await client.list("GET /api/memory")).toMatchObject([
    { text: "I like tea", state: "confirmed", source: { runId: id, origins: [] } },
  ]);
  const summary = async () =>
    (await client.call("GET /api/brons/:id", { params: { id: bronId } })).memorySummary;
  await expect.poll(summary, { timeout: 20_000 }).toBe("Likes tea.");
  expect(await client.list("GET /api/runs")).toHaveLength(1);
}, 30_000);
