import type { ThreadView } from "@bron/protocol";
import type { Page } from "playwright-core";
import { ask } from "./seed-runs.ts";

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
