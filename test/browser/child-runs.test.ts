import type { BronView } from "@bron/protocol";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { ask } from "./support/seed-runs.ts";
import { startForFile } from "./support/start-for-file.ts";
import { untilState } from "./support/until-state.ts";

const { bron, browser } = await startForFile();

describe("a task with child runs", () => {
  let page: Page;
  beforeAll(async () => {
    page = await (await browser.newContext()).newPage();
    await page.goto(bron.signInLink);
  }, 120_000);

  const startTask = async (task: string) => {
    await page.goto(bron.url);
    await page.getByLabel("What can I do for you?").fill(task);
    await page.getByRole("button", { name: "Start", exact: true }).click();
  };
  /** A child run on the page of its parent. */
  const child = (title: string) =>
    page.getByRole("paragraph").filter({ hasText: "Subtask" }).filter({ hasText: title });

  it("BR16 shows its child runs and their states, and combines their results", async () => {
    await startTask(
      "Find out, each by a Bron of its own: what is on my calendar in the next 7 days?; how many unread mails do I have from the last 7 days?",
    );
    await untilState(page, "Done");
    for (const title of ["What is on my calendar", "How many unread mails"])
      await child(title).getByText("Done", { exact: true }).waitFor();
    const texts = page.locator("p, li, h1, h2, h3, h4");
    await texts
      .filter({ hasText: /Your next 7 days/ })
      .first()
      .waitFor();
    await texts
      .filter({ hasText: /You have \d+ unread emails/ })
      .first()
      .waitFor();
    await child("How many unread mails").getByRole("link").click();
    await page.getByRole("heading", { level: 1, name: "How many unread mails" }).waitFor();
    expect(await page.getByRole("button", { name: "Retry" }).count()).toBe(0);
    await page.getByRole("link", { name: /^Part of: Find out, each by/ }).click();
    await page.getByRole("heading", { level: 1, name: "Find out, each by" }).waitFor();
  }, 120_000);

  it("BR1 BR16 is one entry among the latest tasks; its child runs are marked in the list of all tasks", async () => {
    await page.goto(bron.url);
    const tasks = page.getByRole("link").filter({ has: page.getByText("Done", { exact: true }) });
    await tasks.filter({ hasText: "Find out, each by" }).waitFor();
    expect(await tasks.count()).toBe(1);
    const { brons } = await ask<{ brons: BronView[] }>(page, "GET", "/api/brons");
    const seen: string[] = [];
    for (const { id } of brons) {
      await page.goto(`${bron.url}/brons/${id}`);
      await page.getByRole("heading", { name: "All tasks" }).waitFor();
      await expect.poll(() => tasks.count()).toBeGreaterThan(0);
      seen.push(...(await tasks.allInnerTexts()));
    }
    expect(seen).toHaveLength(3);
    for (const words of seen)
      expect(/\bSubtask\b/.test(words), words).toBe(!words.startsWith("Find out"));
  }, 120_000);

  it("BR16 BR18 waits while a child run needs an approval, and says in the end that not everything was done", async () => {
    await startTask(
      'Find out, each by a Bron of its own: post "Hello" to the team board; what is 6 * 7?',
    );
    await child("Post").getByText("Needs approval").waitFor();
    await child("6 * 7").getByText("Done", { exact: true }).waitFor();
    const waits = page.getByRole("link", { name: "A subtask needs your approval" });
    await waits.waitFor();
    expect(await page.getByText("Working…").count()).toBe(0);
    await waits.click();
    await page.getByText("Waiting for your approval ·").waitFor();
    await page.getByRole("button", { name: "Deny" }).click();
    await untilState(page, "Partly done");
    await page.getByText("Waited for your approval ·").waitFor();
    await page.goBack();
    await child("Post").getByText("Partly done").waitFor();
    await untilState(page, "Partly done");
    await page
      .locator("p")
      .filter({ hasText: "I didn't post to the team board" })
      .first()
      .waitFor();
  }, 120_000);
});
