import { existsSync, mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium, type Browser, type BrowserServer, type LaunchOptions } from "playwright-core";

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

const browserFolder = fileURLToPath(
  new URL("../../../node_modules/.cache/browser", import.meta.url),
);

/** Opens a browser for a script, or with more flags. Tests share one: see `startForFile`. */
export async function openBrowser(more: readonly string[] = []): Promise<Browser> {
  const options = await launchOptions();
  return await chromium.launch({ ...options, args: [...(options.args ?? []), ...more] });
}

/** A browser that test files in several processes connect to. */
export async function launchBrowserServer(): Promise<BrowserServer> {
  return await chromium.launchServer(await launchOptions());
}

/** The browser that CHROME_PATH names, an installed one, or the one that npm brings. */
async function launchOptions(): Promise<LaunchOptions> {
  const named = process.env["CHROME_PATH"] ?? installed.find((path) => existsSync(path));
  if (named !== undefined) return { executablePath: named, args: flags };
  const { default: packaged } = await import("@sparticuz/chromium");
  // Drawing through WebGL in software stalls for seconds on a busy machine, and no page needs it.
  packaged.setGraphicsMode = false;
  return {
    executablePath: await unpack(() => packaged.executablePath()),
    args: [...packaged.args.filter((arg) => !unwanted.includes(arg)), ...flags],
  };
}

/** The package unpacks its browser to the folder for temporary files. Keep it for the next time. */
async function unpack(executablePath: () => Promise<string>): Promise<string> {
  const { TMPDIR: before } = process.env;
  mkdirSync(browserFolder, { recursive: true });
  process.env["TMPDIR"] = browserFolder;
  try {
    return await executablePath();
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  }
}
