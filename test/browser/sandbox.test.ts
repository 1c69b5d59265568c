import { describe, expect, it } from "vitest";
import { chooseDemoTask } from "./support/demo-task.ts";
import { approve } from "./support/decide.ts";
import { newPage } from "./support/new-page.ts";
import { startForFile } from "./support/start-for-file.ts";
import { untilState } from "./support/until-state.ts";

const { bron, browser } = await startForFile();

describe("the sandbox page", () => {
  it("X8 shows what really happened, injects faults, and resets", async () => {
    const page = await newPage(browser);
    await page.goto(bron.signInLink);
    await page.getByRole("navigation").getByRole("link", { name: "Sandbox" }).click();
    await page.getByText("Nothing sent yet").waitFor();

    // Google is unavailable for a moment, and Bron must recover.
    await page.getByText("Simulate failures").click();
    await page.getByRole("button", { name: /^Google is down/ }).click();
    await page.getByText("1 on").waitFor();

    await page.goto(new URL("/", bron.signInLink).href);
    await chooseDemoTask(page);
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await untilState(page, "Needs approval");
    await approve(page);
    await untilState(page, "Done");

    await page.getByRole("navigation").getByRole("link", { name: "Sandbox" }).click();
    await page.getByText("Email sent").waitFor();
    expect(await page.getByText("Email sent").count()).toBe(1);
    await page.getByText("by Bron").first().waitFor();
    await page.getByRole("tab", { name: "API calls" }).click();
    expect(await page.getByRole("row", { name: /gmail\.users\.drafts\.send/ }).count()).toBe(1);
    expect(await page.getByRole("row", { name: /503/ }).count()).toBe(5);
    for (const [tab, words] of [
      ["Email", /^Inbox/],
      ["Slack", /^#general/],
    ] as const) {
      await page.getByRole("tab", { name: tab }).click();
      await page.getByRole("button", { name: words }).first().waitFor();
    }
    await page.getByRole("tab", { name: "Calendar" }).click();
    expect(await page.getByRole("tabpanel").getByRole("listitem").count()).toBeGreaterThan(10);

    await page.getByText("Simulate failures").click();
    await page.getByRole("button", { name: "Reset sandbox" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Reset sandbox" }).click();
    await page.getByRole("tab", { name: "Activity" }).click();
    await page.getByText("Nothing sent yet").waitFor();
    expect((await bron.record()).sent).toHaveLength(0);

    // The reset connects the accounts again.
    await page.getByRole("navigation").getByRole("link", { name: "Connections" }).click();
    await page.getByRole("button", { name: "Disconnect Google" }).waitFor();
    await page.getByRole("button", { name: "Disconnect Slack" }).waitFor();
  }, 180_000);
});
