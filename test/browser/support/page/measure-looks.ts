import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { build } from "vite";

const entry = fileURLToPath(
  new URL("../../../../packages/page-widget/src/page/looks.fixture.ts", import.meta.url),
);

/**
 * How long the page state takes, in milliseconds of the page's own thread, so that other programs on
 * the machine do not count. The time of the request for it is included.
 */
export async function measureLooks(page: Page, rounds: number): Promise<readonly number[]> {
  const built = await build({
    configFile: false,
    logLevel: "silent",
    build: { write: false, lib: { entry, formats: ["iife"], name: "looks" } },
  });
  const [first] = [built].flat().flatMap((one) => ("output" in one ? one.output : []));
  await page.evaluate(first && "code" in first ? first.code : "");
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
  const spent = async () => {
    const { metrics } = await devtools.send("Performance.getMetrics");
    return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0) * 1000;
  };
  const times: number[] = [];
  let before = await spent();
  for (let round = 0; round < rounds; round++) {
    await page.evaluate((number) => {
      document.body.dataset["round"] = String(number);
      (window as unknown as { lookAtPage(): void }).lookAtPage();
    }, round);
    const now = await spent();
    times.push(now - before);
    before = now;
  }
  return times.toSorted((a, b) => a - b);
}
