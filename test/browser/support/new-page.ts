import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { onTestFinished } from "vitest";

/**
 * Opens a page in a new browser context, which closes when the test ends. It installs no service
 * worker, because that would load the whole page once more for each test.
 */
export async function newPage(browser: Browser, options?: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ serviceWorkers: "block", ...options });
  onTestFinished(() => context.close());
  return await context.newPage();
}
