import { defineTool } from "@bron/core";
import type { Locator, Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { startScriptedServer } from "./support/scripted-server.ts";

/** Ends the call that the task waits for. */
let release = Promise.withResolvers<string>();
const hold = defineTool({
  name: "hold",
  description: "Waits.",
  input: z.object({}),
  repeatable: true,
  execute: () => release.promise,
});

const messages = ["Make it blue", "And large"];

/** Holds once, and then says how often each of the owner's messages reached it. */
const { client, openTabs } = await startScriptedServer(
  ({ options: { prompt } }) => {
    const words = JSON.stringify(prompt.filter(({ role }) => role === "user"));
    if (!prompt.some(({ role }) => role === "tool"))
      return { calls: [{ tool: "hold", input: {} }] };
    const counts = messages.map((message) => words.split(message).length - 1);
    return { text: `Heard ${counts.join(" and ")}.` };
  },
  [hold],
);
afterAll(() => release.resolve("let go"));

const composer = (tab: Page) => tab.getByLabel("Message to Bron while it works");
const bubble = (tab: Page, words: string) =>
  tab.locator("article").getByText(words, { exact: true });
const unheard = (tab: Page) => tab.getByText("Bron reads this after the current step.");

/** Moves the focus to a field with the Tab key alone. */
async function tabTo(tab: Page, field: Locator): Promise<void> {
  await field.waitFor();
  for (let presses = 0; presses < 60; presses++) {
    if (await field.evaluate((element) => element === document.activeElement)) return;
    await tab.keyboard.press("Tab");
  }
  throw new Error("The field cannot be reached with the Tab key");
}

describe("words to a task that works", () => {
  it("are typed with the keyboard in two tabs, wait through a reload, and are heard once", async () => {
    const { id } = await client.call("POST /api/runs", { body: { prompt: "Paint the door" } });
    const tabs = await openTabs(id);
    const [first, second] = tabs;

    for (const [at, tab] of tabs.entries()) {
      await tabTo(tab, composer(tab));
      await tab.keyboard.type(messages[at] ?? "");
      await tab.keyboard.press("Control+Enter");
      // Both tabs show it as words that have not been heard.
      for (const shown of tabs) await expect.poll(() => unheard(shown).count()).toBe(at + 1);
      expect(await composer(tab).inputValue()).toBe("");
    }
    await first.reload();
    await expect.poll(() => unheard(first).count()).toBe(2);
    await composer(first).fill("A draft for later");

    release.resolve("done");
    for (const tab of tabs) {
      await tab.getByText("Heard 1 and 1.").waitFor();
      expect(await unheard(tab).count()).toBe(0);
      for (const words of messages) expect(await bubble(tab, words).count()).toBe(1);
    }

    // After the end, words become the next task of the conversation, in both tabs.
    release = Promise.withResolvers();
    release.resolve("done");
    expect(await first.getByLabel("Reply").inputValue()).toBe("A draft for later");
    await tabTo(second, second.getByLabel("Reply"));
    await second.keyboard.type("And the window");
    await second.keyboard.press("Control+Enter");
    for (const tab of tabs) await bubble(tab, "And the window").waitFor();
    await expect.poll(async () => (await client.list("GET /api/runs")).length).toBe(2);
  });

  it("bring files, which the task gets with them", async () => {
    release = Promise.withResolvers();
    const { id } = await client.call("POST /api/runs", { body: { prompt: "Paint the fence" } });
    const [tab] = await openTabs(id);
    await composer(tab).waitFor();
    await tab.locator("input[type=file]").setInputFiles({
      name: "colors.txt",
      mimeType: "text/plain",
      buffer: Buffer.from("red"),
    });
    await tabTo(tab, composer(tab));
    await tab.keyboard.type("The colors are here");
    await tab.keyboard.press("Enter");
    await bubble(tab, "The colors are here").waitFor();
    await tab
      .getByRole("list", { name: "Attached files" })
      .getByRole("button", { name: "Preview colors.txt" })
      .waitFor();
    const { artifacts } = await client.call("GET /api/runs/:id/artifacts", { params: { id } });
    expect(artifacts.map(({ name }) => name)).toEqual(["colors.txt"]);
    release.resolve("done");
    await tab.getByText("Heard 0 and 0.").waitFor();
  });
});
