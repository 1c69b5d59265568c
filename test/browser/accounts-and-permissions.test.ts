import type { PermissionsView } from "@bron/protocol";
import { beforeAll, describe, expect, it } from "vitest";
import { chooseDemoTask } from "./support/demo-task.ts";
import { approve } from "./support/decide.ts";
import { ask } from "./support/seed-runs.ts";
import { startLocalModel } from "./support/local-model.ts";
import { startForFile } from "./support/start-for-file.ts";
import { untilState } from "./support/until-state.ts";

const { port } = await startLocalModel("llama3.2:latest");
const { bron, signedInPage } = await startForFile({
  env: {
    BRON_LOCAL_MODELS: `ollama=${port}`,
    // Nothing listens there, so that a key cannot be tested.
    ANTHROPIC_BASE_URL: "http://127.0.0.1:9",
  },
});
const page = await signedInPage();

describe("an account that is not connected, in a real browser", () => {
  it("BR20 BR26 says which access is needed, parks the run, and continues after the consent page", async () => {
    await page.goto(bron.url);
    await page.getByRole("navigation").getByRole("link", { name: "Connections" }).click();
    await page.getByRole("button", { name: "Disconnect Google" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Disconnect Google" }).click();
    await page.getByRole("link", { name: "Connect Google" }).waitFor();
    await page.getByText("Read your email and attachments").waitFor();
    await page.getByRole("navigation").getByRole("link", { name: "New task" }).click();
    await chooseDemoTask(page);
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await untilState(page, "Sign-in needed");
    const run = page.url();

    // The owner declines first. The run keeps waiting.
    await page.getByRole("link", { name: "Connect Google" }).click();
    await page.getByRole("button", { name: "Deny" }).click();
    await page.getByText("You declined access").waitFor();
    await page.waitForURL(run);
    await untilState(page, "Sign-in needed");

    await page.getByRole("link", { name: "Connect Google" }).click();
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByText("Google is connected: mara@").waitFor();
    // The page returns without a click, and the owner is still signed in.
    await page.waitForURL(run);
    await untilState(page, "Needs approval");
    await approve(page);
    await untilState(page, "Done");
    expect((await bron.record()).sent).toHaveLength(1);
  }, 120_000);
});

describe("setting up, in a real browser", () => {
  const region = (name: string) => page.getByRole("region", { name, exact: true });
  beforeAll(async () => {
    await page.goto(`${bron.url}/connections`);
  }, 120_000);

  it("BR20 shows a guide with the state of each step, which can be hidden and found again", async () => {
    const guide = region("Get started");
    await guide.getByText("Ollama is running on this computer and needs no key").waitFor();
    expect(await guide.getByRole("listitem").allTextContents()).toEqual([
      expect.stringContaining("Choose an AI model (To do)"),
      expect.stringContaining("Simulated for now"),
      expect.stringContaining("Simulated for now"),
    ]);
    await guide.getByRole("link", { name: "Set up a Google account" }).click();
    await page.waitForURL(/#google$/);
    await guide.getByRole("button", { name: "Hide guide" }).click();
    await page.reload();
    await page.getByRole("button", { name: "Show setup guide" }).click();
    await guide.waitFor();
  }, 120_000);

  it("BR25 offers a model of this computer, which needs no key", async () => {
    const keys = region("AI model");
    await region("Found on this computer").getByRole("button", { name: "Use model" }).click();
    await keys.getByText("Using llama3.2:latest of Ollama, on this computer").waitFor();
    await region("Get started").getByText("Choose an AI model (Done)").waitFor();
    await keys.getByRole("button", { name: "Remove On this computer key" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove key" }).click();
    await keys.getByText("You're using the built-in demo model").waitFor();
  }, 120_000);

  it("BR25 keeps a key that could not be tested, and uses it only after a confirmation", async () => {
    const keys = region("AI model");
    await keys.getByRole("button", { name: "Add Anthropic key" }).click();
    await page.getByLabel("Key", { exact: true }).fill("sk-ant-not-tested-4321");
    await page.getByRole("button", { name: "Test and save" }).click();
    const note = "Couldn't reach Anthropic, so this key isn't tested, and isn't used.";
    await keys.getByText(note).waitFor();
    await page.reload();
    await keys.getByText(note).waitFor();
    await keys.getByText("You're using the built-in demo model").waitFor();
    await keys.getByRole("button", { name: "Use it anyway" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    await keys.getByText(note).waitFor();
    await keys.getByRole("button", { name: "Use it anyway" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Use key" }).click();
    await keys.getByText(/^Using your Anthropic key/).waitFor();
    // The key offers all models of its provider, for each task too.
    await page.getByRole("navigation").getByRole("link", { name: "New task" }).click();
    const model = page.getByLabel("AI model for this task");
    await model.selectOption("anthropic/claude-haiku-4-5");
    await page.goto(`${bron.url}/connections`);
    await keys.getByRole("button", { name: "Remove Anthropic key" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove key" }).click();
    await keys.getByText("You're using the built-in demo model").waitFor();
  }, 120_000);

  it("BR8 takes an OAuth client without a restart, and never shows its secret", async () => {
    const google = region("Google");
    await google.getByRole("button", { name: "Use my own Google" }).click();
    expect(await page.getByLabel("Redirect URI").inputValue()).toBe(
      `${bron.url}/api/gmail/callback`,
    );
    await page.getByLabel("Client ID").fill("my-client.apps.googleusercontent.com");
    await page.getByLabel("Client secret").fill("GOCSPX-secret");
    await page.getByRole("button", { name: "Save client" }).click();
    await google.getByText("Uses the client that you entered here.").waitFor();
    const href = await google.getByRole("link", { name: "Connect Google" }).getAttribute("href");
    const { url } = await page.request
      .get(`${bron.url}${href}`, { maxRedirects: 0 })
      .then((response) => ({ url: new URL(response.headers()["location"] ?? "") }));
    expect([url.host, url.searchParams.get("client_id")]).toEqual([
      "accounts.google.com",
      "my-client.apps.googleusercontent.com",
    ]);
    await google.getByRole("button", { name: "Change setup" }).click();
    expect(await page.getByLabel("Client secret").inputValue()).toBe("");
    await page.getByRole("button", { name: "Remove client" }).click();
    await page.getByRole("button", { name: "Remove client" }).last().click();
    await google.getByRole("button", { name: "Use my own Google" }).waitFor();
  }, 120_000);
});

describe("permissions and the activity log, in a real browser", () => {
  beforeAll(async () => {
    await page.getByRole("navigation").getByRole("link", { name: "Permissions" }).click();
  }, 120_000);

  const region = (name: string) => page.getByRole("region", { name, exact: true });
  const laidDown = () => ask<PermissionsView>(page, "GET", "/api/permissions");
  /** Holds the next request to this path until the returned function is called. */
  const hold = async (path: string) => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route(path, async (route) => held.then(() => route.continue()), { times: 1 });
    return release;
  };

  it("BR25 adds a rule, describes it and removes it; loosening a rule needs a confirmation", async () => {
    const rules = region("Rules");
    await rules.getByLabel("Tool").fill("post_note");
    await rules.getByLabel("Action").selectOption("Block");
    await rules.getByRole("button", { name: "Add rule" }).click();
    await rules
      .getByRole("listitem")
      .filter({ hasText: "Posting to a board" })
      .filter({ hasText: "Block" })
      .waitFor();
    await expect
      .poll(async () => (await laidDown()).rules.map(({ tool, verdict }) => [tool, verdict]))
      .toEqual([["post_note", "deny"]]);
    await page.getByText("How Bron decides").click();
    await page.getByText("Your rules: posting to a board (all Brons)").waitFor();

    await rules.getByLabel("Tool").fill("gmail_*");
    await rules.getByLabel("Action").selectOption("Allow");
    await rules.getByRole("button", { name: "Add rule" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    expect((await laidDown()).rules).toHaveLength(1);
    await rules.getByLabel("Tool").fill("gmail_*");
    await rules.getByRole("button", { name: "Add rule" }).click();
    await page.getByRole("button", { name: "Always allow" }).click();
    await expect.poll(async () => (await laidDown()).rules.length).toBe(2);

    await rules.getByRole("button", { name: "Remove the rule for posting to a board" }).click();
    await page.getByRole("button", { name: "Remove rule" }).click();
    await expect
      .poll(async () => (await laidDown()).rules.map(({ tool }) => tool))
      .toEqual(["gmail_*"]);
  }, 120_000);

  it("BR25 limits a rule to a website or an MCP server, and sets undo for a kind of change", async () => {
    const rules = region("Rules");
    await rules.getByLabel("Tool", { exact: true }).fill("web_fetch");
    await rules.getByLabel("Website (optional)").fill("*.com");
    await rules.getByLabel("Action").selectOption("Block");
    await rules.getByRole("button", { name: "Add rule" }).click();
    await rules.getByRole("alert").filter({ hasText: "is not a host" }).waitFor();
    await rules.getByLabel("Tool", { exact: true }).fill("web_fetch");
    await rules.getByLabel("Website (optional)").fill("*.Example.com");
    await rules.getByRole("button", { name: "Add rule" }).click();
    await rules.getByText("Reading a web page at *.example.com").waitFor();
    await rules.getByLabel("MCP server (optional)").fill("github");
    await rules.getByRole("button", { name: "Add rule" }).click();
    await rules.getByText("All tools of the server github").waitFor();
    const added = (await laidDown()).rules.filter(
      ({ host, server }) => host !== null || server !== null,
    );
    expect(added).toMatchObject([
      { tool: "web_fetch", host: "*.example.com", server: null, verdict: "deny" },
      { tool: "*", host: null, server: "github", verdict: "deny" },
    ]);
    for (const { id } of added) await ask(page, "POST", `/api/permissions/rules/${id}/remove`, {});

    const effects = region("Undo and pace");
    await effects.getByLabel("Undo for emails").selectOption("30s");
    await effects.getByLabel("Pace for emails").selectOption("5 per minute");
    const mail = async () => (await laidDown()).effects.find(({ kind }) => kind === "mail");
    await expect.poll(mail).toEqual({ kind: "mail", undoSeconds: 30, approvalsPerMinute: 5 });
    await effects.getByLabel("Undo for emails").selectOption("No delay");
    await page.getByRole("button", { name: "Cancel" }).click();
    expect((await mail())?.undoSeconds).toBe(30);
    await effects.getByLabel("Undo for emails").selectOption("No delay");
    await page.getByRole("button", { name: "Shorten undo time" }).click();
    await expect.poll(async () => (await mail())?.undoSeconds).toBe(0);
  }, 120_000);

  it("BR25 shows a change at once, and reverts it with the reason if the server refuses it", async () => {
    const list = region("Trusted contacts");
    const release = await hold("**/api/permissions/allowed");
    await list.getByLabel("Email or domain").fill("not an address");
    await list.getByRole("button", { name: "Add contact" }).click();
    await list.getByRole("listitem").filter({ hasText: "not an address" }).waitFor();
    release();
    await list
      .getByRole("alert")
      .filter({ hasText: "neither an email address nor a domain" })
      .waitFor();
    await list.getByText("Your change wasn't saved.").waitFor();
    expect(await list.getByRole("listitem").count()).toBe(0);
    expect(await list.getByLabel("Email or domain").inputValue()).toBe("not an address");

    await list.getByLabel("Email or domain").fill("lindqvist.example");
    await list.getByRole("button", { name: "Add contact" }).click();
    await list.getByText("Anyone at lindqvist.example").waitFor();
    await expect
      .poll(async () => (await laidDown()).allowed.map(({ value }) => value))
      .toEqual(["lindqvist.example"]);

    // Another tab was faster. The server does not have the entry any more, and the list shows the
    // server's state.
    const [entry] = (await laidDown()).allowed;
    await ask(page, "POST", `/api/permissions/allowed/${entry?.id}/remove`, {});
    await list.getByRole("button", { name: "Remove lindqvist.example" }).click();
    await list.getByRole("alert").waitFor();
    await expect.poll(() => list.getByRole("listitem").count()).toBe(0);
  }, 120_000);

  it("BR25 adds a temporary grant and revokes it", async () => {
    const grants = region("Temporary permissions");
    await grants.getByLabel("Tool").selectOption("gmail_send");
    await grants.getByLabel("Recipient").fill("eva@example.com");
    await grants.getByRole("button", { name: "Add permission" }).click();
    await grants
      .getByRole("listitem")
      .filter({ hasText: "eva@example.com" })
      .filter({ hasText: "never used" })
      .waitFor();
    await grants
      .getByRole("button", { name: "Revoke sending an email for eva@example.com" })
      .click();
    await grants.getByText("1 expired").waitFor();
    expect((await laidDown()).grants[0]?.revokedAt).not.toBeNull();
  }, 120_000);

  it("BR25 has all changes in the activity log, which can be filtered, expanded and exported", async () => {
    await page.getByRole("navigation").getByRole("link", { name: "Activity log" }).click();
    for (const words of [
      "You set the rule for posting to a board: block",
      "You added lindqvist.example to trusted contacts",
      "You revoked the temporary permission for sending an email to eva@example.com",
    ])
      await page.getByText(words).waitFor();
    await page.getByLabel("Show").selectOption("Sign-ins and tokens");
    await expect.poll(() => page.getByText("to trusted contacts").count()).toBe(0);
    await page.getByLabel("Show").selectOption("Permissions");
    const allowed = page
      .getByRole("listitem")
      .filter({ hasText: "You temporarily allowed sending an email to eva@example.com" });
    await allowed.getByText("You temporarily allowed").click();
    await allowed.getByText("Details", { exact: true }).click();
    await page.getByRole("definition").filter({ hasText: "eva@example.com" }).first().waitFor();
    // Filtered to one task. The address keeps the filter.
    await bron.command("run", 'Post "Lunch at noon" to the team board');
    await page.goto(`${bron.url}/audit`);
    await page.getByText("Waiting for your approval to post to a board").click();
    await page.getByRole("link", { name: "Show this task only" }).click();
    await expect.poll(() => page.getByText("to trusted contacts").count()).toBe(0);
    await page.getByText("Waiting for your approval to post to a board").waitFor();
    await page.getByRole("button", { name: "Show all tasks" }).click();
    await page.getByText("You added lindqvist.example to trusted contacts").waitFor();
    await page.getByLabel("Show").selectOption("Permissions");
    await expect.poll(() => page.getByText("Waiting for your approval").count()).toBe(0);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Export" }).click(),
    ]);
    const lines = (await (await file.createReadStream()).toArray())
      .join("")
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { what: string }).what);
    // The export has every entry, whatever the page shows.
    expect(lines).toEqual(
      expect.arrayContaining([
        "approval.requested",
        "grant.revoked",
        "grant.given",
        "rule.changed",
      ]),
    );
  }, 120_000);
});
