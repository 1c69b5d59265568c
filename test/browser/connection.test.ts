import { isDeepStrictEqual } from "node:util";
import type { EventView, RunView } from "@bron/protocol";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { chooseDemoTask, startDemoRuns, signIn } from "./support/demo-task.ts";
import { openCuttableNetwork, type CuttableNetwork } from "./support/cuttable-network.ts";
import { approve } from "./support/decide.ts";
import { ask } from "./support/seed-runs.ts";
import { connectToBrowser } from "./support/start-for-file.ts";
import { startBron, type StartedBron } from "./support/started-bron.ts";
import { newestRunId, unfoldSteps } from "./support/task-page.ts";
import { untilState } from "./support/until-state.ts";

describe("the page of a run while the connection breaks and returns", () => {
  let bron: StartedBron;
  let browser: Browser;
  let network: CuttableNetwork;
  /** A page whose connection is not cut. */
  let uncutPage: Page;
  let page: Page;
  beforeAll(async () => {
    [bron, browser, network] = await Promise.all([
      startBron({ template: inject("templateHome") }),
      connectToBrowser(),
      openCuttableNetwork(),
    ]);
    uncutPage = await signIn(bron, await (await browser.newContext()).newPage());
  }, 120_000);
  beforeEach(async () => {
    network.restore();
    page = await signIn(bron, await (await browser.newContext({ proxy: network.proxy })).newPage());
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await Promise.all([bron.close(), network.close()]);
  });

  const state = (words: string | RegExp) =>
    page.getByRole("article").locator("header").getByRole("status").filter({ hasText: words });
  /**
   * The text of each item. For an open approval it is only the text of the effect, because reading
   * progress and failed attempts differ between pages.
   */
  const timeline = async (of: Page) => {
    await unfoldSteps(of);
    return await of
      .locator("[data-task] [data-kind]")
      .evaluateAll((items) =>
        items.map(
          (item) =>
            (item.querySelector("[data-open-approval]")
              ? item.querySelector<HTMLElement>("[role=group]")
              : (item as HTMLElement)
            )?.innerText,
        ),
      );
  };
  const runs = async () => (await ask<{ runs: RunView[] }>(uncutPage, "GET", "/api/runs")).runs;
  const events = async () =>
    (
      await ask<{ events: EventView[] }>(
        uncutPage,
        "GET",
        `/api/runs/${await newestRunId(page, uncutPage)}/events`,
      )
    ).events;
  const sentCount = async () => (await bron.record()).sent.length;
  const startTask = async () => {
    await chooseDemoTask(page);
    await page.getByRole("button", { name: "Start", exact: true }).click();
  };
  /**
   * The page shows everything that it missed, in order and once, like a page that was just opened.
   */
  const showsAll = async () => {
    await state(/Reconnecting|paused|Offline/).waitFor({ state: "detached" });
    await uncutPage.bringToFront();
    await uncutPage.goto(page.url());
    await expect
      .poll(async () => isDeepStrictEqual(await timeline(page), await timeline(uncutPage)), {
        timeout: 30_000,
        interval: 250,
      })
      .toBe(true);
    await page.bringToFront();
    const log = await events();
    expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
  };

  it("BR7 says that it is offline or reconnecting, keeps its data, and continues where it was", async () => {
    const [runId = ""] = await startDemoRuns(page, 1);
    await page.goto(`${bron.url}/runs/${runId}`);
    const approval = page.getByRole("region", { name: "Send this email?" });
    await approval.waitFor();

    await page.context().setOffline(true);
    await state("Offline.").waitFor();
    await approval.waitFor();
    await page.context().setOffline(false);
    await state("Offline.").waitFor({ state: "detached" });

    await bron.kill("SIGTERM");
    await state("Reconnecting…").waitFor();
    await approval.waitFor();
    bron = await startBron({ home: bron.home, port: Number(new URL(bron.url).port) });
    await state("Reconnecting…").waitFor({ state: "detached" });

    await approve(page);
    await untilState(page, "Done");
  }, 180_000);

  it("BR7 X1 loses and duplicates nothing, whenever the network is cut, and sends one email", async () => {
    const [before, known] = [await sentCount(), (await runs()).length];

    // Cut before the task is submitted, and when the run has started but the response is lost.
    network.cut();
    await startTask();
    await page.getByRole("alert").waitFor();
    network.restore();
    const submitted = network.cutAt("before-response", /^POST \/api\/runs$/);
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await submitted;
    await page.getByRole("alert").waitFor();
    network.restore();
    const reads = network.cutAt("after-chunk", /"phase":"start"[^\n]*"gmail_/);
    await page.getByRole("button", { name: "Start", exact: true }).click();

    // Cut while the run reads emails. It continues although no page is connected.
    await reads;
    await expect
      .poll(async () => (await events()).some(({ type }) => type === "approval"), {
        timeout: 60_000,
      })
      .toBe(true);
    network.restore();
    await showsAll();
    expect(await runs()).toHaveLength(known + 1);

    // Cut while the run waits for an approval.
    network.cut();
    await state("Reconnecting…").waitFor();
    await page.getByRole("region", { name: "Send this email?" }).waitFor();
    // A decision that does not reach the server does not count and can be repeated.
    await approve(page);
    await page.getByText("We couldn't save your choice.").waitFor();
    network.restore();
    await showsAll();
    expect(await sentCount()).toBe(before);

    // Cut right after the approval. It counts, but the response is lost. The effect is held until
    // the page is back.
    await bron.control("faults", { method: "gmail.users.*.send", kind: "frozen" });
    const decided = network.cutAt("before-response", /^POST \/api\/approvals\/[^/]+\/approve$/);
    await approve(page);
    await decided;
    network.restore();
    await showsAll();
    expect(await sentCount()).toBe(before);

    // Cut while the last message streams.
    const says = network.cutAt("after-chunk", /event: answer/);
    await bron.control("faults/release", {});
    await says;
    network.restore();
    await untilState(page, "Done");
    await showsAll();

    // Cut after the run has finished.
    const completeTimeline = await timeline(page);
    network.cut();
    expect(await timeline(page)).toEqual(completeTimeline);
    network.restore();
    await page.reload();
    await untilState(page, "Done");
    await showsAll();
    expect(await sentCount()).toBe(before + 1);
    expect(await runs()).toHaveLength(known + 1);
  }, 240_000);

  it("BR7 RT1 X1 recovers after the server was killed during the run, which ends with one email", async () => {
    const before = await sentCount();
    const restart = async () => {
      await bron.kill("SIGKILL");
      await state("Reconnecting…").waitFor();
      bron = await startBron({ home: bron.home, port: Number(new URL(bron.url).port) });
    };
    const reads = network.cutAt("after-chunk", /"phase":"start"[^\n]*"gmail_/);
    await startTask();
    await reads;
    network.restore();
    await restart();
    await page.getByRole("region", { name: "Send this email?" }).waitFor({ timeout: 90_000 });
    await showsAll();
    const decided = network.cutAt("before-response", /^POST \/api\/approvals\/[^/]+\/approve$/);
    await approve(page);
    await decided;
    network.restore();
    await restart();
    await untilState(page, "Done");
    await showsAll();
    expect(await sentCount()).toBe(before + 1);
  }, 240_000);

  it("announces a new version of the page, and loads it only when the owner wants it", async () => {
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    await page.reload();
    await expect
      .poll(async () => await page.evaluate(() => navigator.serviceWorker.controller !== null))
      .toBe(true);
    const notice = page.getByRole("status").filter({ hasText: "A new version of Bron is ready." });
    expect(await notice.count()).toBe(0);
    network.extend("/sw.js", "\n// A newer version.");
    // The page checks whenever it gets the focus.
    await page.evaluate(() => void dispatchEvent(new Event("focus")));
    await notice.waitFor();
    await page.getByLabel("What can I do for you?").fill("Words that stay");
    const reloaded = page.waitForEvent("load");
    await notice.getByRole("button", { name: "Reload" }).click();
    await reloaded;
    await expect
      .poll(async () => await page.getByLabel("What can I do for you?").inputValue())
      .toBe("Words that stay");
    expect(await notice.count()).toBe(0);
  }, 120_000);
});
