import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "./support/open-browser.ts";
import { startBron, type StartedBron } from "./support/started-bron.ts";

describe("a task for several Brons", () => {
  let bron: StartedBron;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    [bron, browser] = await Promise.all([startBron(), openBrowser()]);
    page = await (await browser.newContext()).newPage();
    await page.goto(bron.signInLink);
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await bron.close();
  });

  const begin = async (task: string) => {
    await page.goto(bron.url);
    await page.getByLabel("What is to be done?").fill(task);
    await page.getByRole("button", { name: "Begin" }).click();
  };
  /** A part on the page of the whole. */
  const part = (title: string) => page.getByRole("paragraph").filter({ hasText: "Child task" }).filter({ hasText: title });

  it("BR16 shows its parts, how each stands, and puts together what they brought", async () => {
    await begin("Find out, each by a Bron of its own: what is on my calendar in the next 7 days?; how many unread mails do I have from the last 7 days?");
    await page.getByRole("status").filter({ hasText: "Done" }).waitFor({ timeout: 30_000 });
    for (const title of ["What is on my calendar", "How many unread mails"]) await part(title).getByText("Done", { exact: true }).waitFor();
    const said = page.locator("p, li, h1, h2, h3, h4");
    await said.filter({ hasText: /On your calendar, / }).first().waitFor();
    await said.filter({ hasText: /There are \d+ mails/ }).first().waitFor();
    await part("How many unread mails").getByRole("link").click();
    await page.getByRole("heading", { level: 1, name: "How many unread mails" }).waitFor();
    expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
    await page.getByRole("link", { name: "Part of a larger task" }).click();
    await page.getByRole("heading", { level: 1, name: "Find out, each by" }).waitFor();
  }, 60_000);

  it("BR16 BR18 waits while a part is asked about, and says in the end that not all was done", async () => {
    await begin('Find out, each by a Bron of its own: post "Hello" to the team board; what is 6 * 7?');
    await part("Post").getByText("Needs approval").waitFor({ timeout: 30_000 });
    await part("6 * 7").getByText("Done", { exact: true }).waitFor();
    await part("Post").getByRole("link").click();
    await page.getByRole("button", { name: "Deny" }).click();
    await page.getByRole("status").filter({ hasText: "Not all done" }).waitFor({ timeout: 30_000 });
    await page.goBack();
    await part("Post").getByText("Not all done").waitFor();
    await page.getByRole("status").filter({ hasText: "Not all done" }).waitFor({ timeout: 30_000 });
    await page.locator("p").filter({ hasText: "I did not post to the team board" }).first().waitFor();
  }, 60_000);
});
