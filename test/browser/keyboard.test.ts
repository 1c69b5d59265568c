import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signIn } from "./support/begin.ts";
import { openBrowser } from "./support/open-browser.ts";
import { startBron, type StartedBron } from "./support/started-bron.ts";

describe("the page without a mouse", () => {
  let bron: StartedBron;
  let browser: Browser;
  beforeAll(async () => {
    [bron, browser] = await Promise.all([startBron(), openBrowser()]);
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await bron.close();
  });

  const focused = (page: Page) => page.evaluate(() => (document.activeElement as HTMLElement | null)?.innerText.trim() ?? "");
  const pressUntil = async (page: Page, key: string, isThere: () => Promise<boolean>) => {
    for (let presses = 0; presses < 80; presses += 1) {
      if (await isThere()) return;
      await page.keyboard.press(key);
    }
    throw new Error(`${key} does not lead there; the focus is on: ${await focused(page)}`);
  };
  const isOn = (page: Page, words: RegExp) => async () => words.test(await focused(page));

  it("BR2 BR3 X1 goes from the home page to the sent mail; no single key decides anything", async () => {
    const page = await signIn(bron, await (await browser.newContext()).newPage());
    await pressUntil(page, "Tab", isOn(page, /^Find the latest invoice/));
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("TEXTAREA");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("button", { name: /^Approve/ }).waitFor({ timeout: 60_000 });

    // The keys lead to a button or a field; the letter in a field is a letter.
    await page.keyboard.press("e");
    await page.getByRole("form", { name: "Edit" }).waitFor();
    await page.keyboard.press("Escape");
    await pressUntil(page, "Tab", isOn(page, /^Edit/));
    await page.keyboard.press("d");
    await page.keyboard.type("dead");
    expect(await page.getByPlaceholder(/Why not/).inputValue()).toBe("dead");
    await pressUntil(page, "Backspace", async () => (await page.getByPlaceholder(/Why not/).inputValue()) === "");
    await pressUntil(page, "Shift+Tab", isOn(page, /^Edit/));
    await pressUntil(page, "a", isOn(page, /^Approve and do exactly this/));
    await page.keyboard.press("a");
    await page.keyboard.press("a");
    expect(await page.evaluate(async () => ((await (await fetch("/api/approvals?pending=true")).json()) as { approvals: unknown[] }).approvals.length)).toBe(1);
    expect((await bron.record()).sent).toEqual([]);

    await page.keyboard.press("Enter");
    await page.getByRole("status").filter({ hasText: "Done" }).waitFor({ timeout: 30_000 });
    expect((await bron.record()).sent).toHaveLength(1);
  }, 120_000);
});
