import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { approve } from "./support/decide.ts";
import { newPage } from "./support/new-page.ts";
import { openBrowser } from "./support/open-browser.ts";
import { startBron, type StartedBron } from "./support/started-bron.ts";
import { untilState } from "./support/until-state.ts";

const shots = process.env["BRON_SCREENSHOTS"];

describe("an approval that is edited on the page", () => {
  let bron: StartedBron;
  let browser: Browser;
  beforeAll(async () => {
    [bron, browser] = await Promise.all([
      startBron({ env: { BRON_UNDO_SECONDS: "4" } }),
      openBrowser(),
    ]);
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await bron.close();
  });

  const asked = async ({ clockAheadMs = 0 } = {}): Promise<Page> => {
    const page = await newPage(browser);
    await page.addInitScript((ahead) => {
      const { now } = Date;
      Date.now = () => now() + ahead;
    }, clockAheadMs);
    const { out } = await bron.command("open");
    await page.goto(/http:\S+sign-in\S+/.exec(out)?.[0] ?? "");
    await page.getByRole("button", { name: /Find the latest invoice/ }).click();
    await page.getByRole("button", { name: "Begin" }).click();
    await page.getByRole("button", { name: /^Approve/ }).waitFor();
    return page;
  };
  const shoot = async (page: Page, name: string) => {
    if (shots !== undefined)
      await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true });
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
    await page
      .getByRole("region", { name: "What you changed" })
      .getByText("Edited by hand")
      .waitFor();
    await shoot(page, "edited");
    // The other tab follows: what it shows now is the new question, or nothing to click.
    await other.getByRole("region", { name: "What you changed" }).waitFor();
    expect(await stale.count()).toBe(1);
    expect((await bron.record()).sent).toEqual([]);
    await approve(page);
    await page.getByRole("timer").waitFor();
    await shoot(page, "undo");
    await untilState(page, "Done");
    expect((await bron.record()).sent.map(({ subject }) => subject)).toEqual(["Edited by hand"]);
  }, 120_000);

  it("BR2 X1 is not sent with a mistake in it: the form stays, at the field, with all that was typed", async () => {
    const page = await asked();
    await page.getByRole("button", { name: "Edit" }).click();
    const form = page.getByRole("form", { name: "Edit" });
    await form.getByLabel("Subject").fill("Edited by hand");
    await form.getByLabel(/^Cc/).fill("not an address");
    await form.getByRole("button", { name: /^Save/ }).click();
    await form.getByText("“not an address” is not one mail address").waitFor();
    expect(
      await form
        .getByLabel(/^Cc/)
        .evaluate((field) => [
          field === document.activeElement,
          field.getAttribute("aria-invalid"),
        ]),
    ).toEqual([true, "true"]);
    expect(await form.getByLabel("Subject").inputValue()).toBe("Edited by hand");
    // What only the tool knows to refuse is told as what it is.
    await form.getByLabel(/^Cc/).fill("=?utf-8?q?Eva?= <eva@x.example>");
    await form.getByRole("button", { name: /^Save/ }).click();
    const failed = page.getByRole("region", { name: "Your edit could not be used" });
    await failed
      .getByRole("alert")
      .filter({ hasText: "what you saw before is asked about again" })
      .waitFor();
    await page
      .getByRole("region", { name: "Needs your decision" })
      .getByText("Your edit could not be made")
      .waitFor();
    expect(await failed.getByText("Edited: what is asked now").count()).toBe(0);
  }, 120_000);

  it("X1 BR2 can be approved only after all of it has been on the screen, its middle too", async () => {
    const page = await asked();
    await page.getByRole("button", { name: "Edit" }).click();
    const form = page.getByRole("form", { name: "Edit" });
    await form
      .getByLabel("Text")
      .fill(Array.from({ length: 150 }, (_, index) => `line ${index}`).join("\n"));
    await form.getByRole("region", { name: "What you change" }).getByText("line 149").waitFor();
    await form.getByRole("button", { name: /^Save/ }).click();
    await page.getByRole("region", { name: "What you changed" }).waitFor();
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
    await untilState(page, "Needs approval");
    await approve(page);
    await untilState(page, "Done");
    expect((await bron.record()).sent).toHaveLength(before + 1);
  }, 120_000);

  it("X1 does not leave when it is taken back in time, whatever the browser's clock says", async () => {
    const before = (await bron.record()).sent.length;
    const page = await asked({ clockAheadMs: 8_000 });
    await approve(page);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("heading", { name: "You took it back" }).waitFor();
    await untilState(page, "Not all done");
    expect((await bron.record()).sent).toHaveLength(before);
  }, 120_000);

  it("X1 is not done when it is answered in words, and the words are in the run", async () => {
    const before = (await bron.record()).sent.length;
    const page = await asked();
    await page.getByPlaceholder(/Why not/).fill("Leave it for today, thanks.");
    await page.getByRole("button", { name: /^Say so/ }).click();
    await page.getByRole("heading", { name: "Answered in words" }).waitFor();
    await page.locator("li[data-kind=user]").filter({ hasText: "Leave it for today" }).waitFor();
    expect((await bron.record()).sent).toHaveLength(before);
  }, 120_000);

  it("RT9 X1 BR2 an event's times are picked by the clock of its zone, told by the reader's too, and entered as they were shown", async () => {
    const page = await newPage(browser, { timezoneId: "America/New_York", locale: "en-GB" });
    const { out } = await bron.command("open");
    await page.goto(/http:\S+sign-in\S+/.exec(out)?.[0] ?? "");
    await page
      .getByLabel("What is to be done?")
      .fill("Put lunch with Priya on Friday 12:30 for an hour");
    await page.getByRole("button", { name: "Begin" }).click();
    await page.getByText("12:30 – 13:30 in Berlin, 06:30 – 07:30 for you").waitFor();
    await page.getByRole("button", { name: "Edit" }).click();
    const form = page.getByRole("form", { name: "Edit" });
    const labels = await form
      .locator("label")
      .evaluateAll((all) => all.map((label) => (label.textContent ?? "").split(" (")[0]));
    expect(labels).toEqual(["Title", "Begins", "Ends", "Where", "Guests", "Description"]);
    const [begins, ends] = [form.getByLabel("Begins"), form.getByLabel("Ends")];
    const day = (await begins.inputValue()).slice(0, 10);
    expect([await begins.inputValue(), await ends.inputValue()]).toEqual([
      `${day}T12:30`,
      `${day}T13:30`,
    ]);
    await form.getByText(/^Europe\/Berlin, UTC\+0[12]:00; 06:30 for you$/).waitFor();
    await shoot(page, "edit-event");
    // A new beginning takes the end with it; an end that is put back stays where it was.
    await ends.fill(`${day}T12:30`);
    await form.getByRole("button", { name: /^Save/ }).click();
    await form.getByText("It would end before it begins.").waitFor();
    expect(await ends.evaluate((field) => field === document.activeElement)).toBe(true);
    await ends.fill(`${day}T13:30`);
    await begins.fill(`${day}T12:00`);
    expect(await ends.inputValue()).toBe(`${day}T13:00`);
    await ends.fill(`${day}T13:30`);
    await form.getByRole("button", { name: /^Save/ }).click();
    await page.getByText("12:00 – 13:30 in Berlin, 06:00 – 07:30 for you").waitFor();
    const difference = page.getByRole("region", { name: "What you changed" });
    expect(await difference.innerText()).not.toMatch(/\dT\d|Ends/);
    await approve(page);
    await untilState(page, "Done");
    const { calendar } = await bron.record();
    const [entered, ...more] = calendar.filter(
      ({ by, kind }) => by === "app" && kind === "inserted",
    );
    expect(more).toEqual([]);
    expect(
      [entered?.event.start, entered?.event.end].map((time) => [
        time?.dateTime?.slice(0, 16),
        time?.timeZone,
      ]),
    ).toEqual([
      [`${day}T12:00`, "Europe/Berlin"],
      [`${day}T13:30`, "Europe/Berlin"],
    ]);
  }, 120_000);
});
