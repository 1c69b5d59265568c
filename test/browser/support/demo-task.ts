import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { StartedBron } from "./started-bron.ts";

const demoTask = /Find the latest invoice/;

/** Puts the demo task into the composer. After the first task, the examples are folded. */
export async function chooseDemoTask(page: Page): Promise<void> {
  const example = page.getByRole("button", { name: demoTask });
  const folded = page.getByRole("button", { name: "Examples", exact: true });
  await example.or(folded).waitFor();
  if (await folded.isVisible()) await folded.click();
  await example.click();
}

/** Signs `page` in with a new sign-in link and waits for the home page. */
export async function signIn(bron: StartedBron, page: Page): Promise<Page> {
  const { out } = await bron.command("open");
  await page.goto(/http:\S+sign-in\S+/.exec(out)?.[0] ?? "");
  await page.getByLabel("What can I do for you?").waitFor();
  return page;
}

/**
 * Starts the demo task `count` times through the API, and returns the run ids once each run waits
 * for an approval.
 */
export async function startDemoRuns(page: Page, count: number): Promise<readonly string[]> {
  const ask = <T>(path: string, body?: unknown): Promise<T> =>
    page.evaluate(
      async ([to, sent]) =>
        (await (
          await fetch(
            to,
            sent === undefined
              ? {}
              : { method: "POST", headers: { "content-type": "application/json" }, body: sent },
          )
        ).json()) as never,
      [path, body === undefined ? undefined : JSON.stringify(body)] as const,
    );
  const { suggestions } = await ask<{ suggestions: string[] }>("/api/about");
  const prompt = suggestions.find((suggestion) => demoTask.test(suggestion)) ?? "";
  const runs = await Promise.all(
    Array.from({ length: count }, () => ask<{ id: string }>("/api/runs", { prompt })),
  );
  const ids = runs.map(({ id }) => id);
  await expect
    .poll(
      async () =>
        (
          await ask<{ approvals: { runId: string }[] }>("/api/approvals?pending=true")
        ).approvals.filter(({ runId }) => ids.includes(runId)).length,
      { timeout: 60_000, interval: 250 },
    )
    .toBe(count);
  return ids;
}
