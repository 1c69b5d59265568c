import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { newPage } from "../new-page.ts";
import type { FakeHandler, FakeInput } from "./fake-handler.ts";

/** The tag that puts the chat on a page. */
const scriptTag = (attributes = "") =>
  `<script src="/bron/bron-chat.js" data-site="test" ${attributes}></script>`;

export const pageWith = (body: string, attributes = "") =>
  `<!doctype html><html lang="en"><head><title>Test page</title></head><body>${body}${scriptTag(attributes)}</body></html>`;

export interface OpenOptions {
  readonly path?: string;
  readonly context?: BrowserContextOptions;
  /** Leaves the chat's tree closed, as it is for visitors. Then only the mouse reaches it. */
  readonly isClosed?: boolean;
}

/** Opens a page of the site. Tests see into the chat, because its tree is opened for them. */
export async function openSite(
  browser: Browser,
  handler: FakeHandler,
  { path = "/", context, isClosed = false }: OpenOptions = {},
): Promise<Page> {
  const page = await newPage(browser, context);
  page.setDefaultTimeout(15_000);
  if (!isClosed) await page.context().addInitScript(openTrees);
  page.on("dialog", (dialog) => void dialog.dismiss().catch(() => undefined));
  await page.goto(`${handler.origin}${path}`);
  await page.waitForSelector("bron-chat", { state: "attached" });
  return page;
}

export function openTrees(): void {
  const native = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function attachShadow(init) {
    return native.call(this, { ...init, mode: "open" });
  };
}

/** Types a message and sends it. */
export async function say(page: Page, words: string): Promise<void> {
  const launcher = page.getByRole("button", { name: "Ask the assistant" });
  if (await launcher.isVisible()) await launcher.click();
  await page.getByLabel("Your message").fill(words);
  await page.getByLabel("Your message").press("Enter");
}

export async function untilAnswer(page: Page, words: string | RegExp): Promise<void> {
  await page.locator("bron-chat .message.assistant").filter({ hasText: words }).first().waitFor();
}

export function approvalBox(page: Page): Locator {
  return page.getByRole("alertdialog");
}

/** Approves as a person does: waits until the button is on, and clicks it. */
export async function approveStep(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: "Approve this step" });
  await expect.poll(() => button.getAttribute("aria-disabled")).toBe("false");
  // What the button looks like under the pointer must not turn it off.
  await button.hover();
  await page.waitForTimeout(600);
  await button.click();
}

/** What the page said about the calls of one request. */
export function resultsOf(input: FakeInput | undefined): Record<string, unknown>[] {
  return (input?.results ?? []).map(({ result }) => JSON.parse(result) as Record<string, unknown>);
}

/** The text of the page state, whole or changed. */
export function viewOf(input: FakeInput | undefined): string {
  const content = input?.pageState.content;
  return typeof content === "string" ? content : JSON.stringify(content);
}

/** The id before the first line with these words. */
export function idIn(input: FakeInput, words: string): string {
  const line = viewOf(input)
    .split("\n")
    .find((one) => one.includes(words));
  return /\[(e\d+)\]/.exec(line ?? "")?.[1] ?? "none";
}
