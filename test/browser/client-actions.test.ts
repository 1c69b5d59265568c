import { defineClientTool } from "@bron/core";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { startScriptedServer } from "./support/scripted-server.ts";
import { unfoldSteps } from "./support/task-page.ts";

const look = defineClientTool({
  name: "read_page",
  description: "Reads the open page.",
  input: z.object({}),
  output: z.string(),
  program: "page",
  deadlineMs: 3_600_000,
  ifExpired: "failed",
});

const { client, openTabs } = await startScriptedServer(
  ({ options: { prompt } }) => {
    const text = JSON.stringify(prompt);
    if (prompt.some(({ role }) => role === "tool")) return { text: "All done." };
    return text.includes("Ask me")
      ? {
          calls: [
            { tool: "ask_user", input: { question: "Which color?", choices: ["red", "blue"] } },
          ],
        }
      : { calls: [{ tool: "read_page", input: {} }] };
  },
  [look],
);

/** Two tabs of one signed-in browser, both on the page of a new task. */
async function openTask(prompt: string): Promise<{ runId: string; tabs: readonly [Page, Page] }> {
  const { id } = await client.call("POST /api/runs", { body: { prompt } });
  return { runId: id, tabs: await openTabs(id) };
}

/** What the program in a page does. Its key survives a reload. */
const take = (tab: Page, runId: string) =>
  tab.evaluate(async (id) => {
    const list = await fetch(`/api/client-actions?runId=${id}&open=true`);
    const { actions } = (await list.json()) as { actions: { id: string }[] };
    const key = sessionStorage.getItem("key") ?? crypto.randomUUID();
    sessionStorage.setItem("key", key);
    const path = `/api/runs/${id}/actions/${actions[0]?.id}`;
    const taken = await fetch(`${path}/take`, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": key },
      body: "{}",
    });
    const { secret } = (await taken.json()) as { secret?: string };
    return { status: taken.status, path, secret };
  }, runId);
const finish = (tab: Page, { path, secret }: { path: string; secret?: string | undefined }) =>
  tab.evaluate(
    async ([to, body]) =>
      (
        await fetch(`${to}/finish`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body,
        })
      ).status,
    [path, JSON.stringify({ secret, result: "Welcome" })] as const,
  );

describe("a task that waits for a page", () => {
  it("says so in both tabs, survives a reload, and is carried out by one tab, once", async () => {
    const { runId, tabs } = await openTask("Read it");
    const [first, second] = tabs;
    const waits = /^Waiting for the page to read page until \d/;
    for (const tab of tabs) await tab.getByText(waits).waitFor();
    const taken = await take(first, runId);
    expect(taken.status).toBe(200);
    expect((await take(second, runId)).status).toBe(409);
    await first.reload();
    await first.getByText(waits).waitFor();
    const again = await take(first, runId);
    expect(again).toEqual(taken);
    expect(await finish(second, { ...taken, secret: "guessed" })).toBe(403);
    expect(await finish(first, again)).toBe(200);
    expect(await finish(first, again)).toBe(409);
    for (const tab of tabs) {
      await tab.getByText("All done.").waitFor();
      expect(await tab.getByText(waits).count()).toBe(0);
    }
  });
});

describe("a task that asks", () => {
  it("is answered with the keyboard after a reload, and the other tab follows", async () => {
    const { runId, tabs } = await openTask("Ask me");
    const [first, second] = tabs;
    for (const tab of tabs) await tab.getByText("Which color?").waitFor();
    await first.reload();
    const field = first.getByLabel("Your answer", { exact: true });
    await field.waitFor();
    for (let presses = 0; presses < 60; presses++) {
      if (await field.evaluate((input) => input === document.activeElement)) break;
      await first.keyboard.press("Tab");
    }
    await first.keyboard.type("green");
    await first.keyboard.press("Enter");
    for (const tab of tabs) await tab.getByText("All done.").waitFor();
    // The question and its answer are among the steps of the finished task.
    await unfoldSteps(second);
    await second.getByText("green", { exact: true }).waitFor();
    expect(await second.getByLabel("Your answer", { exact: true }).count()).toBe(0);
    const [question] = await client.list("GET /api/questions", { runId });
    expect(question).toMatchObject({ state: "answered", answer: "green" });
  });
});
