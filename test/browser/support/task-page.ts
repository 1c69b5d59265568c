import type { ThreadView } from "@bron/protocol";
import type { Page } from "playwright-core";
import { ask } from "./seed-runs.ts";

/** Starts a task on the home page and waits for its conversation. */
export async function startTask(page: Page, url: string, task: string): Promise<void> {
  await page.goto(url);
  await page.getByLabel("What can I do for you?").fill(task);
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: task.slice(0, 20) }).waitFor();
}

/** Unfolds what the newest task of the page did. */
export async function unfoldSteps(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: /^Work(?:ed|ing) for / }).last();
  await button.waitFor();
  if ((await button.getAttribute("aria-expanded")) === "false") await button.click();
}

/** The id of the newest task of the conversation that a page shows. Another page may ask for it. */
export async function newestRunId(page: Page, asking: Page = page): Promise<string> {
  const threadId = new URL(page.url()).pathname.split("/").at(-1);
  const { latestRun } = await ask<ThreadView>(asking, "GET", `/api/threads/${threadId}`);
  return latestRun.id;
}
