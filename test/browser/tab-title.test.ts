import type { Page } from "playwright-core";
import { afterEach, describe, expect, it } from "vitest";
import { startDemoRuns, signIn } from "./support/demo-task.ts";
import { readToEnd } from "./support/decide.ts";
import { ask } from "./support/seed-runs.ts";
import { newPage } from "./support/new-page.ts";
import { startForFile } from "./support/start-for-file.ts";

/**
 * Replaces the browser's notifications, which need a screen, and makes the page believe that it is
 * in the background.
 */
function simulateBackgroundTab(): void {
  const shown: Shown[] = [];
  class Shown extends EventTarget {
    static readonly permission = "granted";
    readonly options: unknown;
    constructor(_title: string, options: unknown) {
      super();
      this.options = options;
      shown.push(this);
    }
    close(): void {}
  }
  Object.assign(globalThis, { Notification: Shown, shown });
  Object.defineProperty(document, "hidden", { get: () => true });
}

const { bron, browser, signedInPage } = await startForFile();
const page = await signedInPage();

describe("the title and the notifications of a tab", () => {
  const approveButton = (of: Page) => of.getByRole("button", { name: /^Approve & send/ });
  const isOpenTo = async (of: Page) =>
    (await approveButton(of).getAttribute("aria-disabled")) === "false";
  afterEach(async () => {
    const { approvals } = await ask<{ approvals: { id: string; digest: string }[] }>(
      page,
      "GET",
      "/api/approvals?pending=true",
    );
    for (const { id, digest } of approvals)
      await ask(page, "POST", `/api/approvals/${id}/deny`, { digest });
  });

  it("BR4 says that a task or conversation does not exist, with a link to continue", async () => {
    for (const id of ["3f9a1c20-1111-4222-8333-444455556666", "nope"]) {
      await page.goto(`${bron.url}/runs/${id}`);
      await page.getByRole("heading", { name: "Task not found" }).waitFor();
      await expect.poll(() => page.title()).toBe("Task not found · Bron");
      expect(await page.getByText(/Queued|Export/).count()).toBe(0);
    }
    await page.goto(`${bron.url}/threads/3f9a1c20-1111-4222-8333-444455556666`);
    await page.getByRole("heading", { name: "Conversation not found" }).waitFor();
    await page.getByRole("link", { name: "Go home" }).click();
    await page.getByLabel("What can I do for you?").waitFor();
  }, 120_000);

  it("BR2 BR7 shows how many approvals wait and the task's name; a notification opens the approvals", async () => {
    const other = await page.context().newPage();
    await other.addInitScript(simulateBackgroundTab);
    await other.goto(`${bron.url}/usage`);
    await expect.poll(() => other.title()).toBe("Usage · Bron");
    const [runId = ""] = await startDemoRuns(page, 1);
    await expect.poll(() => other.title()).toBe("(1) Usage · Bron");
    await expect
      .poll(() =>
        other.evaluate(() => (globalThis as unknown as { shown: EventTarget[] }).shown.length),
      )
      .toBe(1);
    await other.evaluate(() =>
      (globalThis as unknown as { shown: EventTarget[] }).shown[0]?.dispatchEvent(
        new Event("click"),
      ),
    );
    await other.waitForURL((url) => url.searchParams.get("task") === runId);
    await expect
      .poll(() => other.title())
      .toMatch(/^\(1\) Needs approval: Find the latest invoice .{30,45}… · Bron$/);
    // The notification counts all pending approvals, and alerts again although it replaces the
    // previous one.
    await startDemoRuns(page, 2);
    await expect
      .poll(() =>
        other.evaluate(
          () => (globalThis as unknown as { shown: { options: unknown }[] }).shown.at(-1)?.options,
        ),
      )
      .toMatchObject({ body: "3 approvals are waiting", renotify: true });
    await other.close();
  }, 120_000);

  it("BR2 writes relative times in English, whatever the reader's language is", async () => {
    await startDemoRuns(page, 1);
    const other = await signIn(bron, await newPage(browser, { locale: "de-DE" }));
    await other.goto(`${bron.url}/approvals`);
    await other.getByText("Requested now").waitFor();
    await other.context().close();
  }, 120_000);

  it("BR2 BR7 says that a decision was not sent because there is no network, until there is one", async () => {
    const [runId = ""] = await startDemoRuns(page, 1);
    await page.goto(`${bron.url}/runs/${runId}`);
    await readToEnd(page, () => isOpenTo(page));
    await page.context().setOffline(true);
    await page.getByRole("status").filter({ hasText: "Offline." }).first().waitFor();
    await approveButton(page).click();
    await page.getByRole("alert").filter({ hasText: "You're offline" }).waitFor();
    expect(await page.getByText("Can't reach Bron").count()).toBe(0);
    await page.context().setOffline(false);
    await expect.poll(() => page.getByText("We couldn't save your choice").count()).toBe(0);
    await expect.poll(() => isOpenTo(page)).toBe(true);
  }, 120_000);

  it("X1 does not count text behind a dialog as read", async () => {
    await page.setViewportSize({ width: 1_280, height: 2_000 });
    await page.goto(`${bron.url}/approvals`);
    await page.getByText("You're all caught up").waitFor();
    await page.keyboard.press("Control+k");
    await startDemoRuns(page, 1);
    await approveButton(page).waitFor();
    await page.getByText(/\(100% left\)/).waitFor();
    expect(await isOpenTo(page)).toBe(false);
    await page.keyboard.press("Escape");
    await expect.poll(() => isOpenTo(page)).toBe(true);
  }, 120_000);

  it("X1 does not count text as read that a zoomed screen cuts off", async () => {
    const phone = await signIn(
      bron,
      await newPage(browser, {
        viewport: { width: 500, height: 1_600 },
        isMobile: true,
        hasTouch: true,
      }),
    );
    await startDemoRuns(page, 1);
    await phone.goto(`${bron.url}/approvals`);
    await phone.getByRole("list", { name: "Pending" }).waitFor();
    const tools = await phone.context().newCDPSession(phone);
    await tools.send("Emulation.setPageScaleFactor", { pageScaleFactor: 2 });
    await expect.poll(() => phone.evaluate(() => visualViewport?.scale)).toBe(2);
    await phone
      .getByRole("list", { name: "Pending" })
      .getByRole("button")
      .evaluate((row) => (row as HTMLElement).click());
    await phone.getByText(/\(100% left\)/).waitFor();
    await phone.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    expect(await isOpenTo(phone)).toBe(false);
    await tools.send("Emulation.setPageScaleFactor", { pageScaleFactor: 1 });
    await readToEnd(phone, () => isOpenTo(phone));
  }, 120_000);

  it("BR2 has slim headers on a phone, which do not move as time passes", async () => {
    const phone = await signIn(
      bron,
      await newPage(browser, { viewport: { width: 390, height: 844 } }),
    );
    const [runId = ""] = await startDemoRuns(page, 1);
    await phone.clock.install();
    // Hides the server's Date header, so that the page uses only the installed clock.
    await phone.addInitScript(() => {
      const { get } = Headers.prototype;
      Headers.prototype.get = function (name) {
        return name === "date" ? null : get.call(this, name);
      };
    });
    await phone.goto(`${bron.url}/runs/${runId}`);
    await approveButton(phone).waitFor();
    const room = () =>
      phone.evaluate(() =>
        Math.max(
          ...[...document.querySelectorAll("header")].map(
            (header) => header.getBoundingClientRect().bottom,
          ),
        ),
      );
    const first = await room();
    expect(first).toBeLessThan(150);
    const time = phone.getByTitle("Elapsed");
    // Only the time at work counts, and it is over since the task waits.
    const worked = await time.innerText();
    expect(worked).toMatch(/^Working for \d+s$/);
    await phone.clock.fastForward(3_600_000);
    expect(await time.innerText()).toBe(worked);
    expect(await room()).toBe(first);
    expect(await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(
      true,
    );
    await phone.getByRole("button", { name: "Stop" }).click();
    await phone.getByTitle("Duration", { exact: true }).waitFor();
    await phone.context().close();
  }, 120_000);
});
