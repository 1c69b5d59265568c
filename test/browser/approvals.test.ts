import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askedRuns, signIn } from "./support/begin.ts";
import { approve, readWhole } from "./support/decide.ts";
import { inStore } from "./support/in-store.ts";
import { openBrowser } from "./support/open-browser.ts";
import { startBron, type StartedBron } from "./support/started-bron.ts";

const account = "mara@lindqvist.example";

describe("decisions that are made in several places, or too late", () => {
  let bron: StartedBron;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    [bron, browser] = await Promise.all([startBron(), openBrowser()]);
    page = await signIn(bron, await (await browser.newContext()).newPage());
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await bron.close();
  });

  const sentCount = async () => (await bron.record()).sent.length;
  const open = async (tab: Page, runId: string) => {
    await tab.goto(`${bron.url}/runs/${runId}`);
    await tab.getByRole("region", { name: "Needs your decision" }).waitFor();
  };

  it("BR2 X1 are the same in two tabs: what one denies, the other shows as denied and cannot approve", async () => {
    const [runId = ""] = await askedRuns(page, 1);
    const before = await sentCount();
    const inbox = await page.context().newPage();
    await inbox.goto(`${bron.url}/approvals`);
    await inbox.getByRole("button", { name: /^Approve and/ }).waitFor();
    await open(page, runId);
    await page.getByPlaceholder(/Why not/).fill("not today");
    await page.getByRole("button", { name: "Deny" }).click();
    await inbox.getByText("It was denied elsewhere").waitFor({ timeout: 30_000 });
    await inbox.getByRole("heading", { name: "Denied" }).waitFor();
    await inbox.getByText("not today").waitFor();
    expect(await inbox.getByRole("button", { name: /^Approve/ }).count()).toBe(0);
    expect(await sentCount()).toBe(before);
    await inbox.close();
  }, 120_000);

  it("BR2 X1 count down, and say that nothing was done when their time ran out", async () => {
    const [runId = ""] = await askedRuns(page, 1);
    const before = await sentCount();
    await inStore(bron, "update approvals set expires_at = clock_timestamp() + interval '12 seconds' where run_id = $1", [runId]);
    await open(page, runId);
    await page.getByText(/in 1?\d s$/).first().waitFor();
    await page.getByText("Its time ran out while you looked at it.").waitFor({ timeout: 60_000 });
    await page.getByRole("heading", { name: "Expired" }).waitFor();
    expect(await page.getByRole("button", { name: /^Approve/ }).count()).toBe(0);
    expect(await sentCount()).toBe(before);
  }, 120_000);

  it("X1 do not send a draft that was changed in the mailbox meanwhile, and say that nothing has left", async () => {
    const [runId = ""] = await askedRuns(page, 1);
    const before = await sentCount();
    await open(page, runId);
    const { drafts } = (await bron.control("drafts", { account })) as { drafts: { draftId: string; subject: string }[] };
    for (const { draftId } of drafts) await bron.control("drafts/edit", { account, draftId, mail: { from: account, to: "mallory@evil.example", subject: "Changed", text: "other words" } });
    await approve(page);
    await page.getByText("It was not done: nothing has left.").waitFor({ timeout: 60_000 });
    await page.getByRole("status").filter({ hasText: /Done|Not all done|Failed|Needs approval/ }).waitFor({ timeout: 30_000 });
    expect(await sentCount()).toBe(before);
  }, 120_000);

  it("BR2 X1 can be made for several at once, each only after it was read, each with its own outcome", async () => {
    const runs = await askedRuns(page, 3);
    const before = await sentCount();
    await page.goto(`${bron.url}/approvals`);
    const list = page.getByRole("list", { name: "Waiting" });
    await expect.poll(() => list.getByRole("listitem").count()).toBeGreaterThanOrEqual(3);
    const rows = await list.getByRole("listitem").all();
    for (const row of rows.slice(1)) expect(await row.getByRole("checkbox").isDisabled()).toBe(true);
    for (const row of rows) {
      await row.getByRole("button").click();
      await readWhole(page, () => row.getByRole("checkbox").isEnabled());
      await row.getByRole("checkbox").check();
    }
    // One of them is decided elsewhere in the same moment: its own outcome says so, and the others are done.
    await page.route("**/api/approvals/batch", async (route) => {
      await inStore(bron, "update approvals set state = 'denied', decided_at = clock_timestamp() where run_id = $1", [runs[0]]);
      await route.continue();
    });
    await page.getByRole("button", { name: `Approve ${rows.length}`, exact: true }).click();
    const outcomes = page.getByRole("region", { name: "What came of it" });
    await outcomes.waitFor({ timeout: 30_000 });
    expect(await outcomes.getByRole("listitem").count()).toBe(rows.length);
    expect(await outcomes.getByText("Approved", { exact: true }).count()).toBe(rows.length - 1);
    await expect.poll(sentCount, { timeout: 60_000 }).toBe(before + rows.length - 1);
  }, 180_000);
});
