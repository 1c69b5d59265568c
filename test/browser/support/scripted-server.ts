import type { Tool } from "@bron/core";
import { memoryStore } from "@bron/memory-store";
import { createRuntime } from "@bron/runtime";
import { createServer } from "@bron/server";
import { memoryAccess, scriptedLanguageModel, type Script } from "@bron/testing";
import type { Page } from "playwright-core";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";
import { noServerLimits } from "../../support/http/no-server-limits.ts";
import { newPage } from "./new-page.ts";
import { connectToBrowser } from "./start-for-file.ts";

/** The web app of a runtime in memory whose model is scripted. It closes after the file's tests. */
export async function startScriptedServer(script: Script, tools: readonly Tool[] = []) {
  const runtime = await createRuntime({
    store: memoryStore(),
    access: memoryAccess(),
    tools,
    model: { name: "scripted", maxOutputTokens: 100, model: scriptedLanguageModel(script) },
  });
  const server = await createServer({
    ...noServerLimits,
    runtime,
    ownerId: "local",
    host: "127.0.0.1",
    port: 0,
    serverId: "s",
    webRoot: fileURLToPath(new URL("../../../apps/web/dist", import.meta.url)),
  });
  const browser = await connectToBrowser();
  afterAll(async () => {
    await browser.close();
    await server.close();
    await runtime.close();
  });
  return {
    client: runtime.clientFor("local"),
    /** Opens a run in two tabs of one browser that is signed in. */
    async openTabs(runId: string): Promise<readonly [Page, Page]> {
      const first = await newPage(browser);
      await first.goto(server.signInLink());
      const second = await first.context().newPage();
      for (const tab of [first, second]) await tab.goto(`${server.url}/runs/${runId}`);
      return [first, second];
    },
  };
}
