import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { onTestFinished } from "vitest";

/**
 * As in a browser of its own. Its tabs are closed when the test is over: each holds streams, and a browser opens six connections to one host,
 * those of all contexts together. The context stays: the packaged browser runs as a single process, which ends with any of its contexts.
 */
export async function newPage(browser: Browser, options?: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext(options);
  onTestFinished(async () => {
    for (const page of context.pages()) await page.close();
  });
  return await context.newPage();
}
