import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { startScriptedServer } from "./support/scripted-server.ts";

const { client, openTabs } = await startScriptedServer(() => ({ text: "All done." }));
const place = { machine: "evas-laptop", folder: "/home/eva/site" };

async function openTask(): Promise<{ runId: string; tabs: readonly [Page, Page] }> {
  const { id } = await client.call("POST /api/runs", { body: { prompt: "Build the site", place } });
  const tabs = await openTabs(id);
  for (const tab of tabs) {
    await tab.getByText(/^Waits for the folder .*evas-laptop, which is not running\.$/).waitFor();
    await tab.locator("article header").getByText("Waiting for its folder").waitFor();
    expect(await tab.locator(".progress-line").isVisible()).toBe(false);
  }
  return { runId: id, tabs };
}

describe("a task whose place is gone", () => {
  it("says what it waits for in both tabs, and runs elsewhere once the owner moves it", async () => {
    const { tabs } = await openTask();
    const [first] = tabs;
    await first.reload();
    await first.getByRole("button", { name: "Run anywhere" }).focus();
    await first.keyboard.press("Enter");
    for (const tab of tabs) await tab.getByText("All done.").waitFor();
  });

  it("is stopped by the owner", async () => {
    const { runId, tabs } = await openTask();
    const [first] = tabs;
    await first.getByRole("button", { name: "Stop", exact: true }).click();
    for (const tab of tabs)
      await tab
        .locator("article header")
        .getByText("Waiting for its folder")
        .waitFor({ state: "detached" });
    const { status } = await client.call("GET /api/runs/:id", { params: { id: runId } });
    expect(status).toBe("canceled");
  });
});
