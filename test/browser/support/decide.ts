import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Reads what would leave to its end, as a person must, and approves it. */
export async function approve(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: "Approve and do exactly this" });
  await button.waitFor({ timeout: 60_000 });
  // A tab behind another one shows nothing to anybody.
  await page.bringToFront();
  const rest = page.getByRole("button", { name: "Show the rest" });
  await expect
    .poll(
      async () => {
        if (await rest.isVisible()) await rest.click();
        return await button.getAttribute("aria-disabled");
      },
      { timeout: 10_000 },
    )
    .toBe("false");
  await button.click();
}
