import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

/** Scrolls to the end of the effect, which the page requires, and approves it. */
export async function approve(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: /^Approve & / });
  await button.waitFor();
  await readToEnd(page, async () => (await button.getAttribute("aria-disabled")) === "false");
  await button.click();
}

/** Clicks "Continue reading" until nothing is left that was not on the screen. */
export async function readToEnd(page: Page, isRead: () => Promise<boolean>): Promise<void> {
  // The page does not count text in a background tab as read.
  await page.bringToFront();
  const rest = page.getByRole("button", { name: "Continue reading" });
  const look = async () => {
    if (await isRead()) return true;
    // The button disappears when the rest has been read.
    await rest.click({ timeout: 500 }).catch(() => undefined);
    return await isRead();
  };
  await expect.poll(look, { timeout: 60_000 }).toBe(true);
}

/** Denies with the button of the card and the one that confirms it. */
export async function deny(place: Page | Locator, reason?: string): Promise<void> {
  const button = place.getByRole("button", { name: "Deny", exact: true });
  await button.click();
  const field = place.getByLabel("Why? (optional)");
  await field.waitFor();
  if (reason !== undefined) await field.fill(reason);
  await button.click();
}

/** Sends words about what should change. Nothing is approved. */
export async function requestChanges(place: Page | Locator, words: string): Promise<void> {
  const button = place.getByRole("button", { name: "Request changes" });
  await button.click();
  await place.getByLabel("What should change?").fill(words);
  await button.click();
}
