import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { signIn } from "./support/demo-task.ts";
import { newPage } from "./support/new-page.ts";
import { ask } from "./support/seed-runs.ts";
import { startForFile } from "./support/start-for-file.ts";
import { startTask } from "./support/task-page.ts";

const { bron, browser } = await startForFile();
const task = (page: Page) => page.getByLabel("What can I do for you?");

describe("the frame of all pages", () => {
  it("BR4 has the daily pages at the bottom of a phone, and the others in a menu", async () => {
    const page = await newPage(browser, { viewport: { width: 390, height: 844 } });
    await signIn(bron, page);
    const bar = page.getByRole("navigation", { name: "Main menu" });
    expect(await bar.getByRole("link").allInnerTexts()).toHaveLength(4);
    await bar.getByRole("link", { name: "Brons" }).click();
    await page.getByRole("heading", { level: 1, name: "Brons" }).waitFor();
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("dialog").getByRole("link", { name: "Usage" }).click();
    await page.getByRole("heading", { level: 1, name: "Usage" }).waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      390,
    );
  });

  it("shows its shortcuts, and uses single keys only outside of fields", async () => {
    const page = await newPage(browser);
    await signIn(bron, page);
    await page.goto(`${bron.url}/usage`);
    await page.getByRole("heading", { level: 1, name: "Usage" }).waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("n");
    await task(page).fill("");
    await task(page).press("?");
    expect(await task(page).inputValue()).toBe("?");
    expect(await page.getByRole("dialog", { name: "Keyboard shortcuts" }).count()).toBe(0);
  });

  it("sends with Enter, breaks lines with Shift-Enter, and keeps a draft over reload and navigation", async () => {
    const page = await newPage(browser);
    await signIn(bron, page);
    await task(page).fill("What is 12 * 7?");
    await task(page).press("Shift+Enter");
    await page.getByRole("link", { name: "Brons" }).click();
    await page.getByRole("heading", { level: 1, name: "Brons" }).waitFor();
    await page.goBack();
    await page.reload();
    expect(await task(page).inputValue()).toBe("What is 12 * 7?\n");
    await task(page).press("Enter");
    await page.getByRole("article").getByText("84").waitFor();
    await page.goto(bron.url);
    expect(await task(page).inputValue()).toBe("");
  });

  it("shares one stream between tabs, and a second tab is live within a second", async () => {
    const page = await newPage(browser);
    await signIn(bron, page);
    await startTask(page, bron.url, 'Post "Two tabs" to the team board');
    const approval = { name: "Post this note?" };
    await page.getByRole("region", approval).waitFor();
    const second = await page.context().newPage();
    const streams: string[] = [];
    second.on("request", (request) => {
      if (request.headers()["accept"] === "text/event-stream") streams.push(request.url());
    });
    await second.goto(page.url());
    await second.getByRole("region", approval).waitFor();
    const runs = await ask<{ runs: { id: string }[] }>(second, "GET", "/api/runs?limit=1");
    const steering = second.getByText("and say hello");
    await ask(page, "POST", `/api/runs/${runs.runs[0]?.id}/messages`, { content: "and say hello" });
    await steering.waitFor({ timeout: 1_000 });
    expect(streams).toEqual([]);
    expect(await second.getByText("Live updates are off").count()).toBe(0);
    // The tab that read is closed, and the other one takes over.
    await page.close();
    await expect.poll(() => streams.length).toBe(2);
    await ask(second, "POST", `/api/runs/${runs.runs[0]?.id}/cancel`, {});
    await second.getByRole("status").filter({ hasText: "Stopped" }).waitFor();
  });

  it("is live within a second on a phone while a tab of another browser is open", async () => {
    const page = await newPage(browser);
    await signIn(bron, page);
    await startTask(page, bron.url, 'Post "From my desk" to the team board');
    const approval = { name: /^(?:Approve|Post) this/ };
    await page.getByRole("region", approval).waitFor();
    const phone = await newPage(browser, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    await signIn(bron, phone);
    await phone.goto(page.url());
    await phone.getByRole("region", approval).waitFor();
    const { runs } = await ask<{ runs: { id: string }[] }>(page, "GET", "/api/runs?limit=1");
    const words = phone.getByText("and greet them");
    await ask(page, "POST", `/api/runs/${runs[0]?.id}/messages`, { content: "and greet them" });
    await words.waitFor({ timeout: 1_000 });
    expect(await phone.getByText("Live updates are off").count()).toBe(0);
    // And the other way round.
    await ask(phone, "POST", `/api/runs/${runs[0]?.id}/cancel`, {});
    await page
      .getByRole("status")
      .filter({ hasText: "Stopped" })
      .first()
      .waitFor({ timeout: 5_000 });
  });

  it("opens every page while the server is away, and keeps what was typed", async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await signIn(bron, page);
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    await page.reload();
    await expect
      .poll(async () => await page.evaluate(() => navigator.serviceWorker.controller !== null))
      .toBe(true);
    await task(page).fill("Words that must not be lost");
    await bron.kill("SIGKILL");
    await page.getByRole("link", { name: "Usage" }).click();
    await page.getByRole("heading", { level: 1, name: "Usage" }).waitFor();
    await page.goto(bron.url);
    await page.getByText("Reconnecting…").waitFor();
    expect(await task(page).inputValue()).toBe("Words that must not be lost");
    const kept = await page.evaluate(async () => {
      const names = await caches.keys();
      const all = await Promise.all(
        names.map(async (name) => await (await caches.open(name)).keys()),
      );
      return all.flat().map(({ url }) => new URL(url).pathname);
    });
    expect(kept.filter((path) => path !== "/" && !path.startsWith("/assets/"))).toEqual([]);
    expect(kept.length).toBeGreaterThan(10);
    await context.close();
  });
});
