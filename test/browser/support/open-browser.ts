import { existsSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";

const installed = [
  "/usr/bin/google-chrome",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];
const flags = [
  "--no-sandbox",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-quic",
  "--no-first-run",
];

/**
 * Flags of the packaged browser that we leave out. A browser of one process dies when a context
 * closes, and the other two would hide what a real browser refuses.
 */
const unwanted = ["--single-process", "--disable-web-security", "--allow-running-insecure-content"];

/** A real one: the one that is named, an installed one, or the one that comes with the packages. It waits longer than Playwright does, for busy machines. */
export async function openBrowser(): Promise<Browser> {
  const browser = await launch();
  browser.on("context", (context) => context.setDefaultTimeout(60_000));
  return browser;
}

async function launch(): Promise<Browser> {
  const named = process.env["CHROME_PATH"] ?? installed.find((path) => existsSync(path));
  if (named !== undefined) return await chromium.launch({ executablePath: named, args: flags });
  const { default: packaged } = await import("@sparticuz/chromium");
  // Drawing through WebGL in software stalls for seconds on a busy machine, and no page needs it.
  packaged.setGraphicsMode = false;
  return await chromium.launch({
    executablePath: await packaged.executablePath(),
    args: [...packaged.args.filter((arg) => !unwanted.includes(arg)), ...flags],
  });
}
