import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, it } from "vitest";
import { askedRuns, signIn } from "./support/begin.ts";
import { approve } from "./support/decide.ts";
import { openBrowser } from "./support/open-browser.ts";
import { startBron, type StartedBron } from "./support/started-bron.ts";

describe("a run on the page, while the connection comes and goes", () => {
  let bron: StartedBron;
  let browser: Browser;
  beforeAll(async () => {
    [bron, browser] = await Promise.all([startBron(), openBrowser()]);
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await bron.close();
  });

  it("BR7 says that it is offline or reconnects, keeps what is known, and goes on where it was", async () => {
    const page = await signIn(bron, await (await browser.newContext()).newPage());
    const [runId = ""] = await askedRuns(page, 1);
    await page.goto(`${bron.url}/runs/${runId}`);
    const decision = page.getByRole("region", { name: "Needs your decision" });
    await decision.waitFor();
    const header = page.getByRole("article").locator("header");
    const state = (words: string) => header.getByRole("status").filter({ hasText: words });

    await page.context().setOffline(true);
    await state("Offline.").waitFor({ timeout: 30_000 });
    await decision.waitFor();
    await page.context().setOffline(false);
    await state("Offline.").waitFor({ state: "detached", timeout: 30_000 });

    await bron.kill("SIGTERM");
    await state("Reconnecting…").waitFor({ timeout: 30_000 });
    await decision.waitFor();
    bron = await startBron({ home: bron.home, port: Number(new URL(bron.url).port) });
    await state("Reconnecting…").waitFor({ state: "detached", timeout: 60_000 });

    await approve(page);
    await state("Done").waitFor({ timeout: 60_000 });
  }, 180_000);
});
