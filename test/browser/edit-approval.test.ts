import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { approve } from "./support/decide.ts";
import { openBrowser } from "./support/open-browser.ts";
import { startBron, type StartedBron } from "./support/started-bron.ts";

const shots = process.env["BRON_SCREENSHOTS"];

describe("an approval that is edited on the page", () => {
  let bron: StartedBron;
  let browser: Browser;
  beforeAll(async () => {
    [bron, browser] = await Promise.all([startBron({ env: { BRON_UNDO_SECONDS: "4" } }), openBrowser()]);
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await bron.close();
  });

  const asked = async (): Promise<Page> => {
    const page = await (await browser.newContext()).newPage();
    const { out } = await bron.command("open");
    await page.goto(/http:\S+sign-in\S+/.exec(out)?.[0] ?? "");
    await page.getByRole("button", { name: /Find the latest invoice/ }).click();
    await page.getByRole("button", { name: "Begin" }).click();
    await page.getByRole("button", { name: /^Approve/ }).waitFor({ timeout: 60_000 });
    return page;
  };
  const shoot = async (page: Page, name: string) => {
    if (shots !== undefined) await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true });
  };

  it("X1 BR2 is shown again with what changed, can be taken back for a while, and leaves as it was shown last", async () => {
    const page = await asked();
    const other = await page.context().newPage();
    await other.goto(page.url());
    const stale = other.getByRole("button", { name: /^Approve/ });
    await stale.waitFor();
    await page.getByRole("button", { name: "Edit" }).click();
    const form = page.getByRole("form", { name: "Edit" });
    await shoot(page, "edit");
    await form.getByLabel("Subject").fill("Edited by hand");
    await form.getByRole("button", { name: /^Save/ }).click();
    await page.getByRole("region", { name: "What you changed" }).getByText("Edited by hand").waitFor({ timeout: 30_000 });
    await shoot(page, "edited");
    // The other tab follows: what it shows now is the new question, or nothing to click.
    await other.getByRole("region", { name: "What you changed" }).waitFor({ timeout: 30_000 });
    expect(await stale.count()).toBe(1);
    expect((await bron.record()).sent).toEqual([]);
    await approve(page);
    await page.getByRole("timer").waitFor();
    await shoot(page, "undo");
    await page.getByRole("status").filter({ hasText: "Done" }).waitFor({ timeout: 30_000 });
    expect((await bron.record()).sent.map(({ subject }) => subject)).toEqual(["Edited by hand"]);
  }, 120_000);

  it("X1 BR2 can be approved only after all of it has been on the screen, its middle too", async () => {
    const page = await asked();
    await page.getByRole("button", { name: "Edit" }).click();
    const form = page.getByRole("form", { name: "Edit" });
    await form.getByLabel("Text").fill(Array.from({ length: 150 }, (_, index) => `line ${index}`).join("\n"));
    await form.getByRole("region", { name: "What you change" }).getByText("line 149").waitFor();
    await form.getByRole("button", { name: /^Save/ }).click();
    await page.getByRole("region", { name: "What you changed" }).waitFor({ timeout: 30_000 });
    const button = page.getByRole("button", { name: /^Approve/ });
    await page.getByText(/^Read it to its end first/).waitFor();
    const before = (await bron.record()).sent.length;
    await page.keyboard.press("End");
    await button.scrollIntoViewIfNeeded();
    expect(await button.getAttribute("aria-disabled")).toBe("true");
    await button.click({ force: true });
    await button.focus();
    await page.keyboard.press("Enter");
    expect((await bron.record()).sent).toHaveLength(before);
    await page.getByRole("status").filter({ hasText: "Needs approval" }).waitFor();
    await approve(page);
    await page.getByRole("status").filter({ hasText: "Done" }).waitFor({ timeout: 30_000 });
    expect((await bron.record()).sent).toHaveLength(before + 1);
  }, 120_000);

  it("X1 does not leave when it is taken back in time", async () => {
    const before = (await bron.record()).sent.length;
    const page = await asked();
    await approve(page);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("heading", { name: "Denied" }).waitFor({ timeout: 30_000 });
    await page.getByRole("status").filter({ hasText: /Done|Failed/ }).waitFor({ timeout: 30_000 });
    expect((await bron.record()).sent).toHaveLength(before);
  }, 120_000);

  it("X1 is not done when it is answered in words, and the words are in the run", async () => {
    const before = (await bron.record()).sent.length;
    const page = await asked();
    await page.getByPlaceholder(/Why not/).fill("Leave it for today, thanks.");
    await page.getByRole("button", { name: /^Say so/ }).click();
    await page.getByRole("heading", { name: "Answered in words" }).waitFor({ timeout: 30_000 });
    await page.locator("li[data-kind=user]").filter({ hasText: "Leave it for today" }).waitFor({ timeout: 30_000 });
    expect((await bron.record()).sent).toHaveLength(before);
  }, 120_000);
});
