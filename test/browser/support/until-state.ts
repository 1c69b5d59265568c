import type { Page } from "playwright-core";
import { expect } from "vitest";

/**
 * Waits for the exact state text on the page of a run, so that "Done" does not match "Partly done".
 */
export async function untilState(page: Page, words: string): Promise<void> {
  const state = page.getByRole("article").locator("header").getByRole("status").first();
  await expect.poll(() => state.innerText(), { timeout: 60_000 }).toBe(words);
}
