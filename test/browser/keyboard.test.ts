import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { signIn } from "./support/demo-task.ts";
import { readToEnd } from "./support/decide.ts";
import { ask } from "./support/seed-runs.ts";
import { newPage } from "./support/new-page.ts";
import { startForFile } from "./support/start-for-file.ts";
import { untilState } from "./support/until-state.ts";

const { bron, browser } = await startForFile();

describe("the page without a mouse", () => {
  const focused = (page: Page) =>
    page.evaluate(() => (document.activeElement as HTMLElement | null)?.innerText.trim() ?? "");
  const pressUntil = async (page: Page, key: string, isThere: () => Promise<boolean>) => {
    for (let presses = 0; presses < 80; presses += 1) {
      if (await isThere()) return;
      await page.keyboard.press(key);
    }
    throw new Error(`${key} does not lead there; the focus is on: ${await focused(page)}`);
  };
  const isPending = async (page: Page) =>
    (await ask<{ approvals: unknown[] }>(page, "GET", "/api/approvals?pending=true")).approvals
      .length === 1;
  const isOn = (page: Page, words: RegExp) => async () => words.test(await focused(page));

  it("BR2 BR3 X1 goes from the home page to the sent email; a key approves only what was read", async () => {
    const page = await signIn(
      bron,
      await newPage(browser, { viewport: { width: 1_280, height: 360 } }),
    );
    await pressUntil(page, "Tab", isOn(page, /^Find the latest invoice/));
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("TEXTAREA");
    await page.keyboard.press("Control+Enter");
    const button = page.getByRole("button", { name: /^Approve & send/ });
    await button.waitFor();
    // Nothing can be approved before all of it has been on the screen.
    expect(await button.getAttribute("aria-disabled")).toBe("true");
    await button.focus();
    await page.keyboard.press("Enter");
    expect(await isPending(page)).toBe(true);

    // The keys open the form, the field for changes, and the question before a denial. In a field
    // a letter is typed, and it survives a reload.
    await page.keyboard.press("e");
    await page.getByRole("form", { name: "Edit" }).waitFor();
    await page.keyboard.press("Escape");
    await pressUntil(page, "Tab", isOn(page, /^Edit/));
    await page.keyboard.press("d");
    await page.keyboard.type("an");
    expect(await page.getByLabel("Why? (optional)").inputValue()).toBe("an");
    await page.keyboard.press("Control+A");
    await page.keyboard.press("Delete");
    await page.keyboard.press("Escape");
    await page.keyboard.press("r");
    await page.keyboard.type("dead");
    const field = page.getByLabel("What should change?");
    expect(await field.inputValue()).toBe("dead");
    await page.reload();
    expect(await field.inputValue()).toBe("dead");
    await field.fill("");
    await page.keyboard.press("Escape");
    expect(await focused(page)).toMatch(/^Request changes/);
    expect(await isPending(page)).toBe(true);
    expect((await bron.record()).sent).toEqual([]);
    await readToEnd(page, async () => (await button.getAttribute("aria-disabled")) === "false");

    // New content under the same approval must be read again. The inbox asks the server for it.
    const task = page.url();
    await page.goto(`${bron.url}/approvals`);
    await button.waitFor();
    await readToEnd(page, async () => (await button.getAttribute("aria-disabled")) === "false");
    const path = /\/api\/approvals\/[0-9a-f-]{36}$/;
    expect(await button.getAttribute("aria-disabled")).toBe("false");
    await page.route(path, async (route) => {
      const response = await route.fetch();
      await route.fulfill({
        response,
        json: { ...((await response.json()) as object), digest: `sha256:${"0".repeat(64)}` },
      });
    });
    await ask(page, "POST", "/api/runs", { prompt: "What is 6 * 7?" });
    await page.getByText("sha256:0000").waitFor({ state: "attached" });
    expect(await button.getAttribute("aria-disabled")).toBe("true");
    await page.unrouteAll({ behavior: "wait" });
    await page.goto(task);
    await button.waitFor();
    // The key reads on. It approves only what has been on the screen for a moment.
    await expect
      .poll(async () => {
        await page.keyboard.press("a");
        return await isPending(page);
      })
      .toBe(false);
    await untilState(page, "Done");
    expect((await bron.record()).sent).toHaveLength(1);
  }, 120_000);
});
