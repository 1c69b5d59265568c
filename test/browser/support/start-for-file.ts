import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import { afterAll, inject } from "vitest";
import { startBron, type StartedBron, type StartOptions } from "./started-bron.ts";

interface BrowserSetup {
  readonly bron: StartedBron;
  readonly browser: Browser;
  /**
   * Opens a page for all tests of the file, and signs it in with the link that the server printed.
   * Call it once: the link works once. `prepare` is called before anything is loaded.
   */
  signedInPage(options?: BrowserContextOptions, prepare?: (page: Page) => void): Promise<Page>;
}

/**
 * Starts a server for the tests of one file and connects to the browser that all files share. Call
 * it at the top of the file: the server ends, and the file's browser contexts close, after the last
 * test.
 */
export async function startForFile(options: StartOptions = {}): Promise<BrowserSetup> {
  const [bron, browser] = await Promise.all([
    startBron({ template: inject("templateHome"), ...options }),
    connectToBrowser(),
  ]);
  afterAll(async () => {
    await browser.close();
    await bron.close();
  });
  return {
    bron,
    browser,
    async signedInPage(options, prepare) {
      const page = await (await browser.newContext(options)).newPage();
      prepare?.(page);
      await page.goto(bron.signInLink);
      await page.getByLabel("What can I do for you?").waitFor();
      return page;
    },
  };
}

/** Waits longer for a page than Playwright does, because the machine may be busy. */
export async function connectToBrowser(): Promise<Browser> {
  const browser = await chromium.connect(inject("browserUrl"));
  browser.on("context", (context) => context.setDefaultTimeout(60_000));
  return browser;
}
