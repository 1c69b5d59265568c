import type { EventView } from "@bron/protocol";
import type { Page } from "playwright-core";
import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { openBrowser } from "../test/browser/support/open-browser.ts";
import type { Environment } from "./support/environment.ts";
import { quantile, sum, type BenchmarkResult } from "./support/figures.ts";
import { startRemote } from "./support/remote-calls.ts";
import type { ServerCalls } from "./support/server-process.ts";
import { speedBars } from "./support/speed-bars.ts";
import type { SubjectOrders } from "./support/subject.ts";
import type { WriterCalls } from "./support/writer-process.ts";

const dist = fileURLToPath(new URL("../apps/web/dist/", import.meta.url));

/**
 * Measures in a real browser: from the commit in a worker to the item on the screen, long tasks
 * while events arrive, memory after ten thousand events, and the first load.
 */
export async function page({
  createDatabase,
  modelUrl,
  quick,
}: Environment): Promise<BenchmarkResult> {
  if (!existsSync(`${dist}index.html`))
    throw new Error("Build the page first: node scripts/build-web.mjs");
  const orders: SubjectOrders = { kind: "bron", databaseUrl: await createDatabase(), modelUrl };
  const server = await startRemote<ServerCalls>("server-process.ts", {
    ...orders,
    work: "none",
    webRoot: dist,
  });
  const writer = await startRemote<WriterCalls>("writer-process.ts", orders);
  const browser = await openBrowser();
  try {
    const { url, signInLink } = await server.calls.address();
    const tab = await (await browser.newContext()).newPage();
    const startedAt = performance.now();
    await tab.goto(signInLink);
    await tab.getByRole("textbox").first().waitFor();
    const firstLoadMs = performance.now() - startedAt;

    const live = await measureLiveRun(tab, url, writer.calls, quick ? 40 : 150);
    const long = await writer.calls.create({ steps: quick ? 200 : 1_500 });
    await writer.calls.commits(long);
    await tab.goto(`${url}/runs/${long}`);
    const events = (
      (await (await tab.request.get(`${url}/api/runs/${long}`)).json()) as { lastSeq: number }
    ).lastSeq;
    await tab.waitForFunction(
      () =>
        [...document.querySelectorAll("[role=status]")].some(({ textContent }) =>
          /Done/.test(textContent ?? ""),
        ),
      undefined,
      { timeout: 60_000 },
    );
    return {
      figures: [
        { name: "commit to screen p50", value: quantile(live.latencies, 0.5), unit: "ms" },
        {
          name: "BR24 commit to screen p99",
          value: quantile(live.latencies, 0.99),
          unit: "ms",
          bar: speedBars.eventToScreen,
        },
        {
          name: "longest task while events come",
          value: live.longestTaskMs,
          unit: "ms",
          bar: { atMost: 50 },
        },
        {
          name: "a key to its letter while events come, p99",
          value: quantile(live.keyMs, 0.99),
          unit: "ms",
        },
        { name: `heap after ${events} events`, value: await heapMb(tab), unit: "MB" },
        { name: "first load of / over loopback", value: firstLoadMs, unit: "ms" },
        {
          name: "first load of /, compressed",
          value: (await firstLoadBytes()) / 1_024,
          unit: "kB",
          bar: { atMost: 200 },
        },
      ],
      notes: [
        `${live.latencies.length} items, ${live.perSecond.toFixed(0)} events/s; ${live.longTasks} tasks above 50 ms. Worker, server, Postgres and browser share the same cores.`,
      ],
    };
  } finally {
    await browser.close();
    await writer.close();
    await server.close();
  }
}

interface Timeline {
  readonly items: readonly unknown[];
}

interface Live {
  readonly latencies: readonly number[];
  readonly keyMs: readonly number[];
  readonly longestTaskMs: number;
  readonly longTasks: number;
  readonly perSecond: number;
}

/** Shows a run while text is typed into the field of the palette. */
async function measureLiveRun(
  tab: Page,
  url: string,
  writer: WriterCalls,
  steps: number,
): Promise<Live> {
  const runId = await writer.create({ steps, delayMs: 90 });
  await tab.goto(`${url}/runs/${runId}`);
  await tab.getByRole("button", { name: /^Work(?:ed|ing) for / }).click();
  await tab.locator("ol > li[aria-setsize]").first().waitFor();
  await tab.evaluate(() => {
    const seen: [number, number][] = [];
    const tasks: number[] = [];
    new PerformanceObserver((list) =>
      tasks.push(...list.getEntries().map(({ duration }) => duration)),
    ).observe({ type: "longtask" });
    const look = () => {
      const size = Number(
        document.querySelector("ol > li[aria-setsize]")?.getAttribute("aria-setsize") ?? 0,
      );
      if (size > (seen.at(-1)?.[0] ?? 0))
        seen.push([size, performance.timeOrigin + performance.now()]);
      requestAnimationFrame(look);
    };
    look();
    Object.assign(globalThis, { watched: { seen, tasks } });
  });
  const keyMs: number[] = [];
  await tab.keyboard.press("Control+k");
  for (let letter = 0; letter < 40; letter++) {
    const from = performance.now();
    await tab.keyboard.press("a");
    await tab.waitForFunction(
      (length) => document.querySelector<HTMLInputElement>("dialog input")?.value.length === length,
      letter + 1,
    );
    keyMs.push(performance.now() - from);
  }
  await tab.keyboard.press("Escape");
  const commits = await writer.commits(runId);
  await tab.waitForTimeout(500);
  const { seen, tasks } = await tab.evaluate(
    () =>
      (globalThis as unknown as { watched: { seen: [number, number][]; tasks: number[] } }).watched,
  );
  const { events } = (await (
    await tab.request.get(`${url}/api/runs/${runId}/events?limit=1000`)
  ).json()) as { events: EventView[] };
  // The page's own timeline tells which event added how many items. The page is not a package, so
  // it is imported by path.
  const { emptyTimeline, applyEvents } = (await import(
    new URL("../apps/web/src/run/timeline.ts", import.meta.url).href
  )) as {
    emptyTimeline: Timeline;
    applyEvents(timeline: Timeline, events: readonly EventView[]): Timeline;
  };
  const { sectionsOf } = (await import(
    new URL("../apps/web/src/run/task-sections.ts", import.meta.url).href
  )) as { sectionsOf(items: Timeline["items"], isOver: boolean): { steps: readonly unknown[] } };
  const seqOfItem: number[] = [];
  let timeline = emptyTimeline;
  for (const event of events) {
    timeline = applyEvents(timeline, [event]);
    const { steps: shown } = sectionsOf(timeline.items, false);
    while (seqOfItem.length < shown.length) seqOfItem.push(event.seq);
  }
  const [, from = 0] = seen[0] ?? [];
  const latencies = seqOfItem.flatMap((seq, index) => {
    const committed = commits[seq];
    const shown = seen.find(([size]) => size > index)?.[1];
    return committed === undefined || shown === undefined || committed < from
      ? []
      : [shown - committed];
  });
  const times = Object.values(commits);
  return {
    latencies,
    keyMs,
    longestTaskMs: Math.max(0, ...tasks),
    longTasks: tasks.length,
    perSecond: times.length / ((Math.max(...times) - Math.min(...times)) / 1_000),
  };
}

async function heapMb(tab: Page): Promise<number> {
  const tools = await tab.context().newCDPSession(tab);
  await tools.send("HeapProfiler.collectGarbage");
  await tools.send("Performance.enable");
  const { metrics } = await tools.send("Performance.getMetrics");
  return (metrics.find(({ name }) => name === "JSHeapUsedSize")?.value ?? Number.NaN) / 1_048_576;
}

/** The size of everything that the document loads before the first click, as it is transferred. */
async function firstLoadBytes(): Promise<number> {
  const html = await readFile(`${dist}index.html`, "utf8");
  const names = [...html.matchAll(/\/(assets\/[^"]+)"/g)].map(([, name = ""]) => name);
  const sizes = await Promise.all(
    names.map(
      async (name) =>
        (await stat(existsSync(`${dist}${name}.gz`) ? `${dist}${name}.gz` : `${dist}${name}`)).size,
    ),
  );
  return sum(sizes) + html.length;
}
