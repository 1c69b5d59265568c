import { isDeepStrictEqual } from "node:util";
import type { EventView, RunView } from "@bron/protocol";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { askedRuns, signIn } from "./support/begin.ts";
import { openCuttableNetwork, type CuttableNetwork } from "./support/cuttable-network.ts";
import { approve } from "./support/decide.ts";
import { ask } from "./support/seed-runs.ts";
import { connectToBrowser } from "./support/start-for-file.ts";
import { startBron, type StartedBron } from "./support/started-bron.ts";
import { untilState } from "./support/until-state.ts";

describe("a run on the page, while the connection comes and goes", () => {
  let bron: StartedBron;
  let browser: Browser;
  let network: CuttableNetwork;
  /** Goes past the network that is cut. */
  let beside: Page;
  let page: Page;
  beforeAll(async () => {
    [bron, browser, network] = await Promise.all([
      startBron({ template: inject("templateHome") }),
      connectToBrowser(),
      openCuttableNetwork(),
    ]);
    beside = await signIn(bron, await (await browser.newContext()).newPage());
  }, 120_000);
  beforeEach(async () => {
    network.mend();
    page = await signIn(bron, await (await browser.newContext({ proxy: network.proxy })).newPage());
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await Promise.all([bron.close(), network.close()]);
  });

  const state = (words: string | RegExp) =>
    page.getByRole("article").locator("header").getByRole("status").filter({ hasText: words });
  /** Item by item; of a question that is open, what it is about: how far it was read, and what was tried, is known only here. */
  const timeline = (of: Page) =>
    of
      .locator("article ol > li")
      .evaluateAll((items) =>
        items.map(
          (item) =>
            (item.querySelector("[data-open-decision]")
              ? item.querySelector<HTMLElement>("[role=group]")
              : (item as HTMLElement)
            )?.innerText,
        ),
      );
  const runs = async () => (await ask<{ runs: RunView[] }>(beside, "GET", "/api/runs")).runs;
  const events = async () =>
    (
      await ask<{ events: EventView[] }>(
        beside,
        "GET",
        `/api/runs/${page.url().split("/").at(-1)}/events`,
      )
    ).events;
  const sentCount = async () => (await bron.record()).sent.length;
  const begin = async () => {
    await page.getByRole("button", { name: /Find the latest invoice/ }).click();
    await page.getByRole("button", { name: "Start", exact: true }).click();
  };
  /** What came while it was away is there, in its place, once: as on a page that is opened only now. */
  const showsAll = async () => {
    await state(/Reconnecting|paused|Offline/).waitFor({ state: "detached" });
    await beside.bringToFront();
    await beside.goto(page.url());
    await beside.locator("article ol > li").first().waitFor();
    await expect
      .poll(async () => isDeepStrictEqual(await timeline(page), await timeline(beside)), {
        timeout: 30_000,
        interval: 250,
      })
      .toBe(true);
    await page.bringToFront();
    const log = await events();
    expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
  };

  it("BR7 says that it is offline or reconnects, keeps what is known, and goes on where it was", async () => {
    const [runId = ""] = await askedRuns(page, 1);
    await page.goto(`${bron.url}/runs/${runId}`);
    const decision = page.getByRole("region", { name: "Approve this email?" });
    await decision.waitFor();

    await page.context().setOffline(true);
    await state("Offline.").waitFor();
    await decision.waitFor();
    await page.context().setOffline(false);
    await state("Offline.").waitFor({ state: "detached" });

    await bron.kill("SIGTERM");
    await state("Reconnecting…").waitFor();
    await decision.waitFor();
    bron = await startBron({ home: bron.home, port: Number(new URL(bron.url).port) });
    await state("Reconnecting…").waitFor({ state: "detached" });

    await approve(page);
    await untilState(page, "Done");
  }, 180_000);

  it("BR7 X1 loses and doubles nothing, whenever the network is cut, and sends one mail", async () => {
    const [before, known] = [await sentCount(), (await runs()).length];

    // Before the task is given; and when it has begun, but nobody was told so.
    network.cut();
    await begin();
    await page.getByRole("alert").waitFor();
    network.mend();
    const given = network.cutAt("heard", /^POST \/api\/runs$/);
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await given;
    await page.getByRole("alert").waitFor();
    network.mend();
    const reads = network.cutAt("told", /"phase":"start"[^\n]*"gmail_/);
    await page.getByRole("button", { name: "Start", exact: true }).click();

    // While it reads: it goes on without anybody who looks.
    await reads;
    await expect
      .poll(async () => (await events()).some(({ type }) => type === "approval"), {
        timeout: 60_000,
      })
      .toBe(true);
    network.mend();
    await showsAll();
    expect(await runs()).toHaveLength(known + 1);

    // While it waits for a decision.
    network.cut();
    await state("Reconnecting…").waitFor();
    await page.getByRole("region", { name: "Approve this email?" }).waitFor();
    // A decision that does not arrive does not count, and can be made again.
    await approve(page);
    await page.getByText("We couldn't save your decision.").waitFor();
    network.mend();
    await showsAll();
    expect(await sentCount()).toBe(before);

    // Right after the decision: it counts, but nobody was told so. What it allows takes until the page is back.
    await bron.control("faults", { method: "gmail.users.*.send", kind: "frozen" });
    const decided = network.cutAt("heard", /^POST \/api\/approvals\/[^/]+\/approve$/);
    await approve(page);
    await decided;
    network.mend();
    await showsAll();
    expect(await sentCount()).toBe(before);

    // While it says what it did.
    const says = network.cutAt("told", /event: answer/);
    await bron.control("faults/release", {});
    await says;
    network.mend();
    await untilState(page, "Done");
    await showsAll();

    // And after its end.
    const whole = await timeline(page);
    network.cut();
    expect(await timeline(page)).toEqual(whole);
    network.mend();
    await page.reload();
    await untilState(page, "Done");
    await showsAll();
    expect(await sentCount()).toBe(before + 1);
    expect(await runs()).toHaveLength(known + 1);
  }, 240_000);

  it("BR7 RT1 X1 comes back by itself after the server was killed in the middle, and the run ends with one mail", async () => {
    const before = await sentCount();
    const restart = async () => {
      await bron.kill("SIGKILL");
      await state("Reconnecting…").waitFor();
      bron = await startBron({ home: bron.home, port: Number(new URL(bron.url).port) });
    };
    const reads = network.cutAt("told", /"phase":"start"[^\n]*"gmail_/);
    await begin();
    await reads;
    network.mend();
    await restart();
    await page.getByRole("region", { name: "Approve this email?" }).waitFor({ timeout: 90_000 });
    await showsAll();
    const decided = network.cutAt("heard", /^POST \/api\/approvals\/[^/]+\/approve$/);
    await approve(page);
    await decided;
    network.mend();
    await restart();
    await untilState(page, "Done");
    await showsAll();
    expect(await sentCount()).toBe(before + 1);
  }, 240_000);
});
