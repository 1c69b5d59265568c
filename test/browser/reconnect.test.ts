import { describe, expect, it } from "vitest";
import { approve } from "./support/decide.ts";
import { newPage } from "./support/new-page.ts";
import { startForFile } from "./support/start-for-file.ts";
import { untilState } from "./support/until-state.ts";

const { bron, browser } = await startForFile();

describe("an account that is not connected, in a real browser", () => {
  it("BR20 BR26 says which access is needed, parks the run, and continues after the consent page", async () => {
    const page = await newPage(browser);
    await page.goto(bron.signInLink);
    await page.getByRole("navigation").getByRole("link", { name: "Connections" }).click();
    await page.getByRole("button", { name: "Disconnect Google" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Disconnect Google" }).click();
    await page.getByRole("link", { name: "Connect Google" }).waitFor();
    await page.getByText("Read your email and attachments").waitFor();
    await page.getByRole("navigation").getByRole("link", { name: "New task" }).click();
    await page.getByRole("button", { name: /Find the latest invoice/ }).click();
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await untilState(page, "Sign-in needed");
    const run = page.url();

    // The owner declines first. The run keeps waiting.
    await page.getByRole("link", { name: "Connect Google" }).click();
    await page.getByRole("button", { name: "Deny" }).click();
    await page.getByText("You declined access").waitFor();
    await page.goto(run);
    await untilState(page, "Sign-in needed");

    await page.getByRole("link", { name: "Connect Google" }).click();
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByText("Google is connected: mara@").waitFor();
    // The page returns without a click, and the owner is still signed in.
    await page.getByRole("heading", { name: "Latest task" }).waitFor();
    await page.goto(run);
    await untilState(page, "Needs approval");
    await approve(page);
    await untilState(page, "Done");
    expect((await bron.record()).sent).toHaveLength(1);
  }, 120_000);
});
