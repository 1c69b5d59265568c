import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Reads what would leave to its end, as a person must, and approves it. */
export async function approve(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: /^Approve & / });
  await button.waitFor();
  await readToEnd(page, async () => (await button.getAttribute("aria-disabled")) === "false");
  await button.click();
}

/** Goes on to what has not been on the screen until there is nothing left. */
export async function readToEnd(page: Page, isRead: () => Promise<boolean>): Promise<void> {
  // A tab behind another one shows nothing to anybody.
  await page.bringToFront();
  const rest = page.getByRole("button", { name: "Continue reading" });
  const look = async () => {
    if (await isRead()) return true;
    // It goes away with the last of it.
    await rest.click({ timeout: 500 }).catch(() => undefined);
    return await isRead();
  };
  await expect.poll(look, { timeout: 60_000 }).toBe(true);
}
