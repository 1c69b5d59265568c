// Takes a screenshot of every page, in both themes on a wide, a phone and a small screen, of a server
// with sample data: `npm run screenshots [-- folder]`.
import { mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BronView } from "@bron/protocol";
import type { Page } from "playwright-core";
import { ask, seedRuns, type SeededRuns } from "../test/browser/support/seed-runs.ts";
import { inStore } from "../test/browser/support/in-store.ts";
import { openBrowser } from "../test/browser/support/open-browser.ts";
import { startBron, type StartedBron } from "../test/browser/support/started-bron.ts";

interface Place {
  readonly name: string;
  readonly path: string;
  /** A heading that shows that the page has loaded. */
  readonly ready: string | RegExp;
  act?(page: Page): Promise<void>;
}

const paintMs = 300;
const sizes = {
  wide: { width: 1280, height: 900 },
  phone: { width: 390, height: 844 },
  small: { width: 320, height: 640 },
} as const;

const folder = process.argv[2] ?? (await mkdtemp(join(tmpdir(), "bron-screenshots-")));
await mkdir(folder, { recursive: true });
const [bron, browser] = await Promise.all([startBron(), openBrowser()]);
try {
  const page = await (
    await browser.newContext({ viewport: sizes.wide, reducedMotion: "reduce" })
  ).newPage();
  await page.goto(bron.signInLink);
  const seeded = await seedRuns(page);
  await addPastRuns(bron, page);
  for (const place of placesOf(seeded)) await shoot(page, place);
} finally {
  await browser.close();
  await bron.close();
}

function placesOf({ second, finishedRun, pendingRun }: SeededRuns): readonly Place[] {
  return [
    { name: "home", path: "/", ready: "What can I do for you?" },
    { name: "run-asks", path: `/runs/${pendingRun}`, ready: "Send this email?" },
    { name: "run-done", path: `/runs/${finishedRun}`, ready: /^Find the latest invoice/ },
    { name: "tasks", path: "/tasks", ready: "Tasks" },
    { name: "approvals", path: "/approvals", ready: "Approvals" },
    { name: "brons", path: "/brons", ready: "Research" },
    { name: "bron", path: `/brons/${second.id}`, ready: "Research" },
    {
      name: "bron-settings",
      path: `/brons/${second.id}`,
      ready: "Research",
      act: (page) => page.getByRole("tab", { name: "Settings" }).click(),
    },
    {
      name: "bron-tools",
      path: `/brons/${second.id}`,
      ready: "Research",
      act: (page) => page.getByRole("tab", { name: "Tools" }).click(),
    },
    { name: "memory", path: "/memory", ready: "Memory" },
    { name: "skills", path: "/skills", ready: "Skills" },
    { name: "schedules", path: "/schedules", ready: "Schedules" },
    { name: "connections", path: "/connections", ready: "Google" },
    { name: "permissions", path: "/permissions", ready: "Rules" },
    { name: "audit", path: "/audit", ready: "Activity log" },
    { name: "usage", path: "/usage", ready: "Tasks by outcome" },
    { name: "settings", path: "/settings", ready: "API tokens" },
    { name: "demo", path: "/demo", ready: "Sandbox" },
    { name: "nowhere", path: "/nonsense", ready: "Page not found" },
  ];
}

async function shoot(page: Page, { name, path, ready, act }: Place): Promise<void> {
  for (const [size, viewport] of Object.entries(sizes)) {
    await page.setViewportSize(viewport);
    await page.goto(`${bron.url}${path}`);
    await page.getByRole("heading", { name: ready }).first().waitFor();
    await act?.(page);
    // The page may still be loading data.
    await page.waitForTimeout(600);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      // Waits until the browser has painted the new theme.
      await page.evaluate(
        () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
      );
      await page.waitForTimeout(paintMs);
      const file = join(folder, `${name}-${size}-${colorScheme}.png`);
      await page.screenshot({ path: file });
      console.log(file);
    }
  }
}

/** Adds a few weeks of small tasks, with the cost that a real model would have. */
async function addPastRuns(of: StartedBron, page: Page): Promise<void> {
  const { brons } = await ask<{ brons: BronView[] }>(page, "GET", "/api/brons");
  const bronId = brons.find(({ name }) => name === "Billing")?.id;
  for (let sum = 1; sum <= 24; sum += 1)
    await ask(page, "POST", "/api/runs", { prompt: `What is ${sum} * ${sum + 7}?`, bronId });
  const allFinished = async () =>
    (
      await ask<{ runs: { title: string; finishedAt: string | null }[] }>(
        page,
        "GET",
        "/api/runs?limit=100",
      )
    ).runs.every(({ title, finishedAt }) => !title.startsWith("What is") || finishedAt !== null);
  while (!(await allFinished())) await page.waitForTimeout(250);
  await inStore(
    of,
    `with numbered as (select id, row_number() over (order by created_at) as n from runs where title like 'What is%')
     update runs r set created_at = r.created_at - ((n * n) % 26 + n % 3) * interval '1 day', started_at = r.finished_at - (n % 7 + 3) * interval '1.7 seconds',
       status = case when n > 20 then r.status when n % 9 = 4 then 'failed' when n % 11 = 7 then 'canceled' else r.status end,
       input_tokens = r.input_tokens * (n % 5 + 2), output_tokens = r.output_tokens * (n % 7 + 4)
     from numbered where numbered.id = r.id`,
  );
  await inStore(
    of,
    "update runs set spent_microusd = input_tokens * 3 / 10 + output_tokens * 25 / 10",
  );
}
