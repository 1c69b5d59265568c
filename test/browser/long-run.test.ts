import { beforeAll, describe, expect, it } from "vitest";
import { startDemoRuns } from "./support/demo-task.ts";
import { addToLog } from "./support/in-store.ts";
import { startForFile } from "./support/start-for-file.ts";
import { newestRunId, unfoldSteps } from "./support/task-page.ts";
import { untilState } from "./support/until-state.ts";

const count = 5_000;
const shots = process.env["BRON_SCREENSHOTS"];

const { bron, signedInPage } = await startForFile();
const page = await signedInPage();

describe("a run of thousands of events", () => {
  beforeAll(async () => {
    await page.getByLabel("What can I do for you?").fill("What is 6 * 7?");
    await page.getByRole("button", { name: "Start", exact: true }).click();
    // `untilState` polls, which is only allowed inside a test.
    await page.locator("article header").getByText("Done", { exact: true }).waitFor();
    const words = "Some words of a line that is about as long as lines are.";
    await addToLog(
      bron,
      await newestRunId(page),
      Array.from({ length: count }, (_, index) => ({
        type: "log",
        payload: {
          level: "info",
          message: `line ${index}. ${index % 7 === 0 ? words.repeat(8) : words}`,
        },
      })),
    );
  }, 120_000);

  /** Memory and DOM nodes after a garbage collection. */
  const memoryUse = async () => {
    const tools = await page.context().newCDPSession(page);
    await tools.send("HeapProfiler.collectGarbage");
    await tools.send("Performance.enable");
    const { metrics } = await tools.send("Performance.getMetrics");
    await tools.detach();
    const valueOf = (name: string) =>
      metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
    return { heapMb: valueOf("JSHeapUsedSize") / 1_048_576, nodes: valueOf("Nodes") };
  };
  const items = () => page.getByRole("list", { name: "Timeline" }).locator("> li");
  /** The middle of the column that the steps are in. */
  const middle = async () => {
    const { x, width } = (await page.getByRole("list", { name: "Timeline" }).boundingBox()) ?? {
      x: 0,
      width: 0,
    };
    return x + width / 2;
  };
  const firstShown = async () =>
    await page.evaluate(
      (x) =>
        document.elementFromPoint(x, innerHeight / 2)?.closest<HTMLElement>("[data-index]")
          ?.dataset["index"] ?? "",
      await middle(),
    );

  it("BR2 renders only what is in view, and scrolls from its start to its end without a gap", async () => {
    const startedAt = Date.now();
    await page.reload();
    await untilState(page, "Done");
    // A finished task shows its answer. Its steps are rendered once they are unfolded.
    expect(await items().count()).toBe(0);
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await unfoldSteps(page);
    await expect
      .poll(() => items().first().getAttribute("aria-setsize"), { timeout: 30_000 })
      .toMatch(/^50\d\d$/);
    const shownMs = Date.now() - startedAt;
    expect(await items().count()).toBeLessThan(100);
    const atFirst = await memoryUse();

    // Scrolls through everything, several screens per frame. There must be text at every position.
    const { frames, blank, slowestMs } = await page.evaluate(
      async (x) => {
        const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
        let [seen, empty, slowest, last] = [0, 0, 0, await frame()];
        for (;;) {
          const before = scrollY;
          scrollBy(0, innerHeight * 2.5);
          const now = await frame();
          slowest = Math.max(slowest, now - last);
          last = await frame();
          seen += 1;
          if (
            !document
              .elementFromPoint(x, innerHeight / 2)
              ?.closest("[data-index], [data-answer], section, form, footer, button")
          )
            empty += 1;
          if (scrollY === before || seen > 2_000)
            return { frames: seen, blank: empty, slowestMs: slowest };
        }
      },
      await middle(),
    );
    expect(frames).toBeGreaterThan(50);
    expect(blank).toBe(0);
    await page.getByRole("link", { name: "Export this task" }).waitFor();
    const atLast = await memoryUse();
    expect(atLast.nodes).toBeLessThan(20_000);
    expect(atLast.heapMb).toBeLessThan(80);
    expect(atLast.heapMb - atFirst.heapMb).toBeLessThan(25);
    if (shots !== undefined) console.log({ shownMs, frames, slowestMs, atFirst, atLast });
  }, 120_000);

  it("BR2 keeps its scroll position, and has a link to its end", async () => {
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight / 2));
    await expect.poll(firstShown).toMatch(/^\d{4}$/);
    let where = "";
    await expect.poll(async () => where === (where = await firstShown())).toBe(true);
    // Rows that are measured again above and below do not move the visible text.
    await page.setViewportSize({ width: 1_280, height: 700 });
    await page.setViewportSize({ width: 1_280, height: 720 });
    expect(Math.abs(Number(await firstShown()) - Number(where))).toBeLessThanOrEqual(2);
    await page.getByRole("button", { name: /^Jump to latest/ }).click();
    await page.getByLabel("Reply", { exact: true }).waitFor();
    await expect
      .poll(() =>
        page.evaluate(() => document.documentElement.scrollHeight - innerHeight - scrollY),
      )
      .toBeLessThan(100);
  }, 120_000);

  it("BR2 scrolls to a new approval, and does not move a reader who has scrolled back", async () => {
    const [runId = ""] = await startDemoRuns(page, 1);
    const approvalHeading = page.getByRole("heading", { name: "Send this email?" });
    // At 900 pixels, the end of the page is near when the approval is at the top.
    for (const height of [900, 500]) {
      await page.setViewportSize({ width: 1_280, height });
      await page.goto(`${bron.url}/runs/${runId}`);
      await approvalHeading.waitFor();
      await expect
        .poll(
          async () =>
            ((await approvalHeading.boundingBox())?.y ?? -1) > 60 &&
            ((await approvalHeading.boundingBox())?.y ?? 500) < 200,
        )
        .toBe(true);
    }
    await page.mouse.wheel(0, -20_000);
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
    await page.evaluate(async () => {
      const { approvals } = (await (await fetch("/api/approvals?pending=true")).json()) as {
        approvals: { id: string; digest: string }[];
      };
      for (const { id, digest } of approvals)
        await fetch(`/api/approvals/${id}/approve`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ digest }),
        });
    });
    await untilState(page, "Done");
    expect(await page.evaluate(() => scrollY)).toBe(0);
  }, 120_000);
});
