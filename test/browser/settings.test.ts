import type { ApprovalView } from "@bron/protocol";
import { beforeAll, describe, expect, it } from "vitest";
import { newPage } from "./support/new-page.ts";
import { ask } from "./support/seed-runs.ts";
import { startForFile } from "./support/start-for-file.ts";

const { bron, browser, signedInPage } = await startForFile();
const page = await signedInPage();

describe("settings, keys, usage and activity, in a real browser", () => {
  beforeAll(async () => {
    await page.getByRole("navigation").getByRole("link", { name: "Settings" }).click();
  }, 120_000);

  const region = (name: string) => page.getByRole("region", { name, exact: true });
  const goTo = (name: string) => page.getByRole("navigation").getByRole("link", { name }).click();

  it("BR25 keeps the theme in this browser, whatever the system prefers", async () => {
    const ground = () =>
      page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const light = await ground();
    await region("Appearance").getByText("Dark", { exact: true }).click();
    const dark = await ground();
    expect(dark).not.toBe(light);
    await page.reload();
    await region("Appearance").waitFor();
    expect(await ground()).toBe(dark);
    expect(await region("Appearance").getByRole("radio", { name: "Dark" }).isChecked()).toBe(true);
    await region("Appearance").getByText("System", { exact: true }).click();
    expect(await ground()).toBe(light);
  }, 120_000);

  it("BR25 shows an API token once, limits it to its scopes, and ends it when it is revoked", async () => {
    const tokens = region("API tokens");
    await tokens.getByLabel("Name", { exact: true }).fill("Script");
    await tokens.getByRole("button", { name: "Create token" }).click();
    const token = await tokens.getByLabel("Token", { exact: true }).inputValue();
    const requestStatus = async (method: string, path: string) =>
      (
        await fetch(`${bron.url}${path}`, {
          method,
          headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
          ...(method === "GET" ? {} : { body: "{}" }),
        })
      ).status;
    expect(await requestStatus("GET", "/api/runs")).toBe(200);
    expect(await requestStatus("POST", "/api/stop")).toBe(403);
    await tokens.getByRole("button", { name: "Done", exact: true }).click();
    await page.reload();
    await tokens.getByRole("listitem").filter({ hasText: "Script" }).waitFor();
    expect(await page.content()).not.toContain(token);
    await tokens.getByRole("button", { name: "Revoke Script" }).click();
    await page.getByRole("button", { name: "Revoke token" }).click();
    await tokens.getByText("No tokens yet").waitFor();
    await expect.poll(() => requestStatus("GET", "/api/runs")).toBe(401);
  }, 120_000);

  it("RT9 explains the empty memory, and adds, finds, edits and forgets a statement", async () => {
    await goTo("Memory");
    await page.getByText("Nothing remembered yet").waitFor();
    await page.getByRole("button", { name: "Add memory" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("What should Bron remember?").fill("I prefer short emails");
    await dialog.getByRole("button", { name: "Add memory" }).click();
    const confirmed = region("Confirmed");
    await confirmed.getByText("I prefer short emails").waitFor();
    await page.getByLabel("Search memory").fill("zeppelin");
    await page.getByText("Nothing found").waitFor();
    await page.getByLabel("Search memory").fill("short em");
    await confirmed.getByRole("button", { name: "Edit “I prefer short emails”" }).click();
    await dialog.getByLabel("What should Bron remember?").fill("I prefer very short emails");
    await dialog.getByRole("button", { name: "Save" }).click();
    await confirmed.getByText("I prefer very short emails").waitFor();
    await confirmed.getByRole("button", { name: /^Forget/ }).click();
    await dialog.getByRole("button", { name: "Forget memory" }).click();
    await page.getByText("Nothing found").waitFor();
    const { out } = await bron.command("memory", "list", "--json");
    expect(JSON.parse(out)).toEqual({ entries: [] });
    await goTo("Settings");
  }, 120_000);

  it("BR25 lists other browsers and signs them out from here", async () => {
    const other = await newPage(browser);
    const { out } = await bron.command("open");
    await other.goto(/http:\S+sign-in\S+/.exec(out)?.[0] ?? "");
    await other.getByRole("heading", { name: "What can I do for you?" }).waitFor();
    await page.reload();
    const sessions = region("Signed-in browsers");
    await expect.poll(() => sessions.getByRole("listitem").count()).toBe(2);
    await sessions.getByRole("button", { name: "Sign out all others" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Sign out", exact: true }).click();
    await expect.poll(() => sessions.getByRole("listitem").count()).toBe(1);
    await sessions.getByText("This browser", { exact: true }).waitFor();
    await expect.poll(async () => (await other.goto(bron.url))?.status()).toBe(401);
    await other.getByRole("heading", { name: "Sign in to Bron" }).waitFor();
    await other.context().close();
  }, 120_000);

  it("BR26 says what is simulated and what each permission is for; a model key is stored and never shown again", async () => {
    await goTo("Connections");
    await region("Try the demo").getByText("Nothing reaches real people").waitFor();
    await region("Google").getByText("Create drafts, and send emails you approve").waitFor();
    const scope = region("Slack").getByText("channels:history").first();
    expect(await scope.isVisible()).toBe(false);
    await region("Slack").getByText("Technical names").click();
    await scope.waitFor();
    const keys = region("AI model");
    await keys.getByRole("button", { name: "Add OpenAI key" }).click();
    // A key that is too long is refused, not truncated.
    await page.getByLabel("Key", { exact: true }).fill(`sk-${"0123456789".repeat(50)}`);
    await page.getByLabel("Model", { exact: true }).fill("gpt-test");
    await page.getByRole("button", { name: "Test and save" }).click();
    await page.getByRole("dialog").getByRole("alert").waitFor();
    await page.getByLabel("Key", { exact: true }).fill("sk-test-0123456789-wxyz");
    await page.getByLabel("Model", { exact: true }).fill("gpt-test");
    await page.getByRole("button", { name: "Test and save" }).click();
    // Nothing answers at this address here, so the key could not be tested and is not used.
    await keys.getByText("Ends with wxyz · gpt-test").waitFor();
    await keys.getByText("Couldn't reach OpenAI").waitFor();
    expect(await keys.getByText("In use").count()).toBe(0);
    expect(await page.content()).not.toContain("0123456789");
    await keys.getByRole("button", { name: "Remove OpenAI key" }).click();
    await page.getByRole("button", { name: "Remove key" }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => keys.getByText("No key", { exact: true }).count()).toBe(3);
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")))
      .toBe("Add OpenAI key");
    expect(await keys.getByText("Couldn't reach OpenAI").count()).toBe(0);
  }, 120_000);

  it("BR25 explains an empty usage page, and shows the same numbers as charts and as a table", async () => {
    await goTo("Usage");
    await page.getByText("No tasks in the last 7 days").waitFor();
    await bron.command("run", "What is 12 * (3 + 4)?");
    await page.reload();
    await page.getByRole("img", { name: /^Tasks by outcome.*Done 1/ }).waitFor();
    await page.getByText("The demo model costs nothing.").waitFor();
    expect(await page.getByRole("img", { name: /^(Cost|Tokens)/ }).count()).toBe(0);
    await page.getByText("Table", { exact: true }).click();
    expect(
      (await page.getByRole("row", { name: /^Total/ }).innerText()).split(/\s+/).slice(0, 3),
    ).toEqual(["Total", "1", "1"]);
    expect(await page.getByRole("row").count()).toBe(9);
    await page.getByText("30 days", { exact: true }).click();
    await expect.poll(() => page.getByRole("row").count()).toBe(32);
    await page.reload();
    await expect.poll(() => page.getByRole("row").count()).toBe(32);
  }, 120_000);

  it("BR25 shows an action as one row with its life, and finds it by what it says", async () => {
    await bron.command("run", 'Post "Lunch at noon" to the team board');
    await goTo("Activity log");
    const rows = page.getByRole("main").getByRole("listitem");
    const waiting = rows.filter({ hasText: "Waiting for your approval to post to a board" });
    await waiting.waitFor();
    await page.getByRole("heading", { name: "Today" }).waitFor();
    const { approvals } = await ask<{ approvals: ApprovalView[] }>(
      page,
      "GET",
      "/api/approvals?pending=true",
    );
    const { id = "", digest = "" } = approvals[0] ?? {};
    await bron.command("approvals", "approve", id, "--digest", digest);
    await page.reload();
    const done = rows.filter({ hasText: "Posted to a board" });
    await done.getByText("You approved it").first().click();
    expect(await done.getByRole("list", { name: "What happened" }).innerText()).toMatch(
      /Asked for your approval[^]*You approved it[^]*Done/,
    );
    expect(await waiting.count()).toBe(0);
    const field = page.getByRole("searchbox", { name: "Search by person" });
    await field.fill("lunch NOON");
    await expect.poll(() => page.url()).toContain("search=");
    await expect.poll(() => page.getByText(/^You (connected|created|added)/).count()).toBe(0);
    await done.waitFor();
    await field.fill("breakfast");
    await page.getByRole("button", { name: "Clear search and filters" }).click();
    await done.waitFor();
    expect(await field.inputValue()).toBe("");
  }, 120_000);

  it("BR25 stops everything from one place, and signing out ends this browser's session", async () => {
    await bron.command("run", 'Post "Lunch at noon" to the team board');
    await goTo("Settings");
    await page.getByRole("button", { name: "Stop everything" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Stop everything" }).click();
    await page.getByText("Stopped 1 task.").waitFor();
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await page.getByRole("heading", { name: "Sign in to Bron" }).waitFor();
  }, 120_000);
});
