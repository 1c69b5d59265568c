import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { chooseDemoTask } from "./support/demo-task.ts";
import { approve, requestChanges } from "./support/decide.ts";
import { newPage } from "./support/new-page.ts";
import { startForFile } from "./support/start-for-file.ts";
import { untilState } from "./support/until-state.ts";

const shots = process.env["BRON_SCREENSHOTS"];

const { bron, browser } = await startForFile({ env: { BRON_UNDO_SECONDS: "4" } });

describe("editing an approval on the page", () => {
  const openPendingRun = async ({ clockAheadMs = 0 } = {}): Promise<Page> => {
    const page = await newPage(browser);
    await page.addInitScript((ahead) => {
      const { now } = Date;
      Date.now = () => now() + ahead;
    }, clockAheadMs);
    const { out } = await bron.command("open");
    await page.goto(/http:\S+sign-in\S+/.exec(out)?.[0] ?? "");
    await chooseDemoTask(page);
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await page.getByRole("button", { name: /^Approve/ }).waitFor();
    return page;
  };
  const shoot = async (page: Page, name: string) => {
    if (shots !== undefined)
      await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true });
  };

  it("X1 BR2 is shown again with its changes, can be undone for a while, and is sent as it was shown last", async () => {
    const page = await openPendingRun();
    const other = await page.context().newPage();
    await other.goto(page.url());
    const stale = other.getByRole("button", { name: /^Approve/ });
    await stale.waitFor();
    await page.getByRole("button", { name: "Edit" }).click();
    const form = page.getByRole("form", { name: "Edit" });
    await shoot(page, "edit");
    await form.getByLabel("Subject").fill("Edited by hand");
    await form.getByRole("button", { name: /^Save/ }).click();
    await page.getByRole("region", { name: "Your changes" }).getByText("Edited by hand").waitFor();
    await shoot(page, "edited");
    // The other tab shows the new approval too.
    await other.getByRole("region", { name: "Your changes" }).waitFor();
    expect(await stale.count()).toBe(1);
    expect((await bron.record()).sent).toEqual([]);
    await approve(page);
    await page.getByRole("timer").waitFor();
    await shoot(page, "undo");
    await untilState(page, "Done");
    expect((await bron.record()).sent.map(({ subject }) => subject)).toEqual(["Edited by hand"]);
    // The model was given the email that left, so its answer is about that one.
    await page
      .getByText(/^Sent "Edited by hand" to .+, after you changed the subject\.$/)
      .waitFor();
  }, 120_000);

  it("BR2 X1 is not sent with a mistake; the form stays open at the field and keeps what was typed", async () => {
    const page = await openPendingRun();
    await page.getByRole("button", { name: "Edit" }).click();
    const form = page.getByRole("form", { name: "Edit" });
    await form.getByLabel("Subject").fill("Edited by hand");
    await form.getByLabel(/^Cc/).fill("not an address");
    await form.getByRole("button", { name: /^Save/ }).click();
    await form.getByText("“not an address” isn't a valid email address").waitFor();
    expect(
      await form
        .getByLabel(/^Cc/)
        .evaluate((field) => [
          field === document.activeElement,
          field.getAttribute("aria-invalid"),
        ]),
    ).toEqual([true, "true"]);
    expect(await form.getByLabel("Subject").inputValue()).toBe("Edited by hand");
    // An error that only the tool can find is shown as such.
    await form.getByLabel(/^Cc/).fill("=?utf-8?q?Eva?= <eva@x.example>");
    await form.getByRole("button", { name: /^Save/ }).click();
    const failed = page.getByRole("region", { name: "Couldn't apply your edit" });
    await failed
      .getByRole("alert")
      .filter({ hasText: "The original is waiting for approval below" })
      .waitFor();
    await page
      .getByRole("region", { name: "Send this email?" })
      .getByText("Your edit couldn't be applied")
      .waitFor();
    expect(await failed.getByText("Edited. Review the new version below.").count()).toBe(0);
  }, 120_000);

  it("X1 BR2 can be approved only after all of it has been on the screen, including its middle", async () => {
    const page = await openPendingRun();
    await page.getByRole("button", { name: "Edit" }).click();
    const form = page.getByRole("form", { name: "Edit" });
    await form
      .getByLabel("Message")
      .fill(Array.from({ length: 150 }, (_, index) => `line ${index}`).join("\n"));
    await form.getByRole("region", { name: "Your changes" }).getByText("line 149").waitFor();
    await form.getByRole("button", { name: /^Save/ }).click();
    await page.getByRole("region", { name: "Your changes" }).waitFor();
    const button = page.getByRole("button", { name: /^Approve/ });
    await page.getByText(/^Scroll to the end to approve/).waitFor();
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

  it("X1 is not sent when it is undone in time, whatever the browser's clock says", async () => {
    const before = (await bron.record()).sent.length;
    const page = await openPendingRun({ clockAheadMs: 8_000 });
    await approve(page);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("heading", { name: "Approval undone" }).waitFor();
    await untilState(page, "You declined");
    expect((await bron.record()).sent).toHaveLength(before);
  }, 120_000);

  it("X1 is not carried out after a reply, and the reply is in the run", async () => {
    const before = (await bron.record()).sent.length;
    const page = await openPendingRun();
    await requestChanges(page, "Leave it for today, thanks.");
    await page.getByRole("heading", { name: "Changes requested" }).waitFor();
    const ownWords = page.getByText("You", { exact: true }).locator("xpath=..");
    await ownWords.filter({ hasText: "Leave it for today" }).waitFor();
    expect((await bron.record()).sent).toHaveLength(before);
  }, 120_000);

  it("RT9 X1 BR2 picks an event's times in its own zone, also shows them in the reader's zone, and saves them as shown", async () => {
    const page = await newPage(browser, { timezoneId: "America/New_York", locale: "en-GB" });
    const { out } = await bron.command("open");
    await page.goto(/http:\S+sign-in\S+/.exec(out)?.[0] ?? "");
    await page
      .getByLabel("What can I do for you?")
      .fill("Put lunch with Priya on Friday 12:30 for an hour");
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await page.getByText("12:30 – 13:30 Berlin time, 06:30 – 07:30 your time").waitFor();
    await page.getByRole("button", { name: "Edit" }).click();
    const form = page.getByRole("form", { name: "Edit" });
    const labels = await form
      .locator("label")
      .evaluateAll((all) => all.map((label) => (label.textContent ?? "").split(" (")[0]));
    expect(labels).toEqual(["Title", "Starts", "Ends", "Location", "Guests", "Description"]);
    const [startField, endField] = [form.getByLabel("Starts"), form.getByLabel("Ends")];
    const day = (await startField.inputValue()).slice(0, 10);
    expect([await startField.inputValue(), await endField.inputValue()]).toEqual([
      `${day}T12:30`,
      `${day}T13:30`,
    ]);
    await form.getByText(/^Europe\/Berlin, UTC\+0[12]:00; 06:30 your time$/).waitFor();
    await shoot(page, "edit-event");
    // Changing the start also moves the end. An end that is then changed back stays.
    await endField.fill(`${day}T12:30`);
    await form.getByRole("button", { name: /^Save/ }).click();
    await form.getByText("The end must be after the start.").waitFor();
    expect(await endField.evaluate((field) => field === document.activeElement)).toBe(true);
    await endField.fill(`${day}T13:30`);
    await startField.fill(`${day}T12:00`);
    expect(await endField.inputValue()).toBe(`${day}T13:00`);
    await endField.fill(`${day}T13:30`);
    await form.getByRole("button", { name: /^Save/ }).click();
    await page.getByText("12:00 – 13:30 Berlin time, 06:00 – 07:30 your time").waitFor();
    const difference = page.getByRole("region", { name: "Your changes" });
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
