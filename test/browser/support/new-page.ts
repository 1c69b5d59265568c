import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { onTestFinished } from "vitest";

/** Opens a page in a new browser context, which closes when the test ends. */
export async function newPage(browser: Browser, options?: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext(options);
  onTestFinished(() => context.close());
  return await context.newPage();
}
