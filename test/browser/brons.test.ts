import { text } from "node:stream/consumers";
import type { BronView, PermissionsView } from "@bron/protocol";
import { describe, expect, it } from "vitest";
import { ask } from "./support/seed-runs.ts";
import { startForFile } from "./support/start-for-file.ts";

const { bron, signedInPage } = await startForFile();
const faults: string[] = [];
const page = await signedInPage({}, (opened) => {
  opened.on("pageerror", (error) => faults.push(error.message));
});

describe("Brons, in a real browser", () => {
  const cardOf = (name: string) =>
    page.getByRole("listitem").filter({ has: page.getByRole("heading", { name, exact: true }) });

  it("BR1 BR4 creates a Bron with its own color, page, task and settings", async () => {
    await page.getByRole("navigation").getByRole("link", { name: "Brons" }).click();
    await page.getByRole("button", { name: "New Bron" }).click();
    const dialog = page.getByRole("dialog", { name: "New Bron" });
    await dialog.getByLabel("Name").fill("Research");
    await dialog.getByTitle("Green").click();
    await dialog.getByLabel("Instructions").fill("Be brief.");
    await dialog.getByRole("button", { name: "New Bron" }).click();
    await page.getByRole("heading", { name: "Research", level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/brons\/[0-9a-f-]{36}$/);
    await page.getByText("No tasks yet").waitFor();

    // Typed text stays in the form while the Bron changes, and is used once it is saved.
    await page.getByRole("tab", { name: "Settings" }).click();
    expect(await page.getByLabel("Instructions").inputValue()).toBe("Be brief.");
    await page.getByRole("textbox", { name: "Memory summary" }).fill("Invoices come on Mondays.");
    const model = page.getByLabel("Model");
    await expect.poll(() => model.locator("option").count()).toBe(2);
    const [byDefault, own = ""] = await model.locator("option").allTextContents();
    expect(byDefault).toBe(`Default model (${own})`);
    await model.selectOption(own);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    await page.reload();
    await page.getByRole("tab", { name: "Settings" }).click();
    expect(await model.inputValue()).toBe(own);
    expect(await page.getByRole("textbox", { name: "Memory summary" }).inputValue()).toBe(
      "Invoices come on Mondays.",
    );

    // Raising the trust level needs a confirmation. Cancel leaves it unchanged.
    await page.getByRole("radio", { name: /^Autonomous/ }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    expect(await page.getByRole("radio", { name: /^Supervised/ }).isChecked()).toBe(true);
    await page.getByRole("radio", { name: /^Delegated/ }).click();
    await page.getByRole("button", { name: "Set to Delegated" }).click();
    await expect.poll(() => page.getByRole("radio", { name: /^Delegated/ }).isChecked()).toBe(true);

    // Deny a tool to this Bron.
    await page.getByRole("tab", { name: "Tools" }).click();
    await page.getByRole("group", { name: "Posting to a board" }).getByText("Block").click();
    await expect
      .poll(async () =>
        (await ask<PermissionsView>(page, "GET", "/api/permissions")).rules.map(
          ({ tool, verdict }) => [tool, verdict],
        ),
      )
      .toEqual([["post_note", "deny"]]);

    // Choose its tools one by one. The first choice has all of them. Names of tools are folded.
    expect(await page.getByText("gmail_search", { exact: true }).isVisible()).toBe(false);
    expect(await page.getByRole("checkbox", { name: /^Showing results/ }).count()).toBe(0);
    const bronId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const toolsOf = async () => (await ask<BronView>(page, "GET", `/api/brons/${bronId}`)).tools;
    expect(await toolsOf()).toBeNull();
    // React shows the choice a moment after the click, for which `uncheck` does not wait.
    const posting = page.getByRole("checkbox", { name: /^Posting to a board/ });
    await posting.click();
    await expect.poll(() => posting.isChecked()).toBe(false);
    await expect.poll(async () => (await toolsOf())?.includes("post_note")).toBe(false);
    await expect.poll(async () => (await toolsOf())?.includes("gmail_send")).toBe(true);
    await page.getByText("Read and draft", { exact: true }).click();
    await expect.poll(async () => (await toolsOf())?.includes("gmail_send")).toBe(false);
    expect(await toolsOf()).toEqual(expect.arrayContaining(["gmail_draft_create", "emit_ui"]));
    await page.getByText("Read only", { exact: true }).click();
    await expect.poll(async () => (await toolsOf())?.includes("gmail_draft_create")).toBe(false);
    await page.getByText("Everything", { exact: true }).click();
    await expect.poll(toolsOf).toBeNull();
  }, 120_000);

  it("BR1 shows in the list what each Bron is doing, and updates when a task is started elsewhere", async () => {
    await page.getByRole("navigation").getByRole("link", { name: "Brons" }).click();
    await cardOf("Assistant").getByText("Idle").waitFor();
    await page.evaluate(() => ((globalThis as { stays?: boolean }).stays = true));
    const colors = await page
      .locator("li span[aria-hidden=true][style]")
      .evaluateAll((avatars) => avatars.map((avatar) => getComputedStyle(avatar).backgroundColor));
    expect(new Set(colors).size).toBe(2);

    await bron.command("run", "What is 12 * (3 + 4)?");
    await cardOf("Assistant").getByText("Done", { exact: true }).waitFor();
    await cardOf("Assistant").getByRole("link", { name: "What is 12 * (3 + 4)?" }).waitFor();
    await bron.command("run", 'Post "Lunch at noon" to the team board');
    await cardOf("Assistant").getByText("Needs approval").waitFor();
    await cardOf("Assistant").getByRole("link", { name: "1 approval waiting" }).waitFor();
    expect(await page.evaluate(() => (globalThis as { stays?: boolean }).stays)).toBe(true);
  }, 120_000);

  it("BR1 filters the list by status and keeps the filter in the address", async () => {
    const filter = page.getByRole("group", { name: "Filter by status" });
    await filter.getByText("Needs approval").click();
    await expect
      .poll(() => page.getByRole("heading", { level: 2 }).allInnerTexts())
      .toEqual(["Assistant"]);
    await page.reload();
    await cardOf("Assistant").waitFor();
    expect(await page.getByRole("heading", { level: 2 }).allInnerTexts()).toEqual(["Assistant"]);
    await filter.getByText("Idle").click();
    await expect
      .poll(() => page.getByRole("heading", { level: 2 }).allInnerTexts())
      .toEqual(["Research"]);
    await filter.getByText("All").click();
    await expect.poll(() => page.getByRole("heading", { level: 2 }).count()).toBe(2);
  }, 120_000);

  it("BR1 BR4 starts a task for a Bron from the list", async () => {
    await page.getByRole("button", { name: "New task for Research" }).click();
    const dialog = page.getByRole("dialog", { name: "New task for Research" });
    await dialog.getByRole("textbox").fill("What is 2 + 2?");
    await dialog.getByRole("button", { name: "Start", exact: true }).click();
    await page.waitForURL(/\/threads\/./);
    await page.getByRole("navigation").getByRole("link", { name: "Brons" }).click();
    await cardOf("Research").getByRole("link", { name: "Research" }).click();
    await page
      .getByRole("main")
      .getByRole("link", { name: /What is 2 \+ 2\?/ })
      .waitFor();
  }, 120_000);

  it("BR7 says that live updates are paused without a network, keeps the data, and resumes", async () => {
    await page.getByRole("navigation").getByRole("link", { name: "Brons" }).click();
    await cardOf("Assistant").waitFor();
    await page.context().setOffline(true);
    await page.getByRole("status").filter({ hasText: "Offline. We'll reconnect" }).waitFor();
    expect(await cardOf("Assistant").count()).toBe(1);
    await page.context().setOffline(false);
    await expect.poll(() => page.getByText("We'll reconnect").count()).toBe(0);
    const { brons } = await ask<{ brons: BronView[] }>(page, "GET", "/api/brons");
    await ask(page, "POST", "/api/runs", {
      prompt: "What is 3 + 3?",
      bronId: brons.find(({ name }) => name === "Research")?.id,
    });
    await cardOf("Research").getByRole("link", { name: "What is 3 + 3?" }).waitFor();
  }, 120_000);

  it("BR4 says that an unknown address does not exist, inside and outside of the page", async () => {
    for (const id of ["00000000-0000-4000-8000-000000000000", "nope"]) {
      await page.goto(`${bron.url}/brons/${id}`);
      await page.getByRole("heading", { name: "Bron not found" }).waitFor();
      await expect.poll(() => page.title()).toBe("(1) Bron not found · Bron");
      expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
    }
    const response = await page.goto(`${bron.url}/nonsense`);
    expect(response?.status()).toBe(404);
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
    expect(faults).toEqual([]);
  }, 120_000);

  it("starts a Bron from a template, duplicates, exports, imports, archives and restores it", async () => {
    await page.goto(`${bron.url}/brons`);
    await page.getByRole("button", { name: "New Bron" }).click();
    await page.getByLabel("Start with").selectOption("Inbox helper");
    await page.getByText("Sorts out what needs an answer").waitFor();
    expect(await page.getByLabel("Name").inputValue()).toBe("Inbox helper");
    await page.getByRole("dialog").getByRole("button", { name: "New Bron" }).click();
    await page.getByRole("heading", { level: 1, name: "Inbox helper" }).waitFor();

    const menu = async (item: string) => {
      await page.getByRole("button", { name: "More actions for this Bron" }).click();
      await page.getByRole("menuitem", { name: item }).click();
    };
    await menu("Duplicate");
    await page.getByRole("heading", { level: 1, name: "Inbox helper copy" }).waitFor();
    const [download] = await Promise.all([page.waitForEvent("download"), menu("Export")]);
    expect(download.suggestedFilename()).toBe("bron-inbox-helper-copy.json");
    const file = await text(await download.createReadStream());
    await menu("Archive");
    await page.getByRole("dialog").getByRole("button", { name: "Archive Bron" }).click();
    await page.getByText("Archived (1)").click();
    expect(await cardOf("Inbox helper copy").getByText("Last active").count()).toBe(0);
    await page.getByRole("button", { name: "Restore Inbox helper copy" }).click();
    await cardOf("Inbox helper copy").getByText("Last active").waitFor();

    await page.locator("input[type=file]").setInputFiles({
      name: "bron.json",
      mimeType: "application/json",
      buffer: Buffer.from(file),
    });
    await page.getByRole("heading", { name: "Inbox helper copy was imported" }).waitFor();
    await page.getByText("treated as text from a file, unless you say").waitFor();
    await page.getByRole("link", { name: "Open Bron" }).click();
    await page.getByRole("heading", { level: 1, name: "Inbox helper copy" }).waitFor();

    // The instructions of the file become the owner's words with one click.
    await page.getByRole("tab", { name: "Settings" }).click();
    const note = page.getByText("Bron treats these instructions as text from a file.");
    await note.waitFor();
    const bronId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const sourceOf = async () =>
      (await ask<BronView>(page, "GET", `/api/brons/${bronId}`)).personaSource;
    const name = page.getByLabel("Name", { exact: true });
    await name.fill("Helper");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    expect(await sourceOf()).toBe("imported");
    await page.getByRole("button", { name: "These are my words" }).click();
    await note.waitFor({ state: "detached" });
    const instructions = page.getByLabel("Instructions");
    await expect
      .poll(() => instructions.evaluate((field) => field === document.activeElement))
      .toBe(true);
    await expect.poll(sourceOf).toBe("typed");
  }, 120_000);
});
