import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { furnish, type Furnished } from "./support/seed-runs.ts";
import { startForFile } from "./support/start-for-file.ts";

const { bron, browser } = await startForFile();

describe("every page, by the rules of axe", () => {
  let page: Page;
  let furnished: Furnished;
  let axe: string;
  const said: string[] = [];
  beforeAll(async () => {
    axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
    page = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
    // What is not there is told by the browser too; everything else would be a fault of ours.
    page.on(
      "console",
      (message) =>
        message.type() === "error" && !message.text().includes("404") && said.push(message.text()),
    );
    page.on("pageerror", (error) => said.push(error.message));
    await page.goto(bron.signInLink);
    furnished = await furnish(page);
  }, 120_000);

  /** What is serious or worse, with where it is. Evaluated from outside, which the page's own policy does not forbid. */
  const found = async (rules?: readonly string[]): Promise<string[]> => {
    await page.evaluate(axe);
    const { violations } = await page.evaluate(
      async (runOnly) =>
        await (
          globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }
        ).axe.run(runOnly ? { runOnly } : {}),
      rules,
    );
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .flatMap(({ id, nodes }) =>
        nodes.map(({ target, html }) => `${id}: ${target.join(" ")} ${html.slice(0, 160)}`),
      );
  };
  const places: readonly (readonly [
    name: string,
    path: () => string,
    ready: string | RegExp,
    act?: () => Promise<void>,
  ])[] = [
    ["the chat", () => "/", "What can I do for you?"],
    ["the Brons", () => "/brons", "Research"],
    [
      "making a Bron",
      () => "/brons",
      "Research",
      () => page.getByRole("button", { name: "New Bron" }).click(),
    ],
    ["a Bron", () => `/brons/${furnished.second.id}`, "Research"],
    [
      "a Bron's settings",
      () => `/brons/${furnished.second.id}`,
      "Research",
      () => page.getByRole("tab", { name: "Settings" }).click(),
    ],
    [
      "a Bron's tools",
      () => `/brons/${furnished.second.id}`,
      "Research",
      () => page.getByRole("tab", { name: "Tools" }).click(),
    ],
    ["a run that is over", () => `/runs/${furnished.doneRun}`, /^Details from /],
    ["a run that asks", () => `/runs/${furnished.askedRun}`, "Approve this email?"],
    ["the approvals", () => "/approvals", "Approve this email?"],
    ["the connections", () => "/connections", "Google"],
    ["the permissions", () => "/permissions", "Rules"],
    ["the audit", () => "/audit", "Activity log"],
    ["the usage", () => "/usage", "Tasks by outcome"],
    [
      "the usage as a table",
      () => "/usage",
      "Tasks by outcome",
      () => page.getByText("Table", { exact: true }).click(),
    ],
    ["the settings", () => "/settings", "API tokens"],
    ["the sandbox", () => "/demo", "Sandbox"],
    ["nowhere", () => "/brons/nowhere", "Bron not found"],
    ["an unknown address", () => "/nonsense", "Page not found"],
    ["the API's description", () => "/docs", "Bron API"],
  ];

  it("X8 nobody is kept out of any page, light or dark", async () => {
    const problems: string[] = [];
    for (const [name, path, ready, act] of places) {
      await page.emulateMedia({ colorScheme: "light" });
      await page.goto(`${bron.url}${path()}`);
      await page.getByRole("heading", { name: ready }).first().waitFor();
      await act?.();
      problems.push(...(await found()).map((problem) => `${name}: ${problem}`));
      // Between the two nothing but colours differs.
      await page.emulateMedia({ colorScheme: "dark" });
      problems.push(
        ...(await found(["color-contrast", "link-in-text-block"])).map(
          (problem) => `${name}, dark: ${problem}`,
        ),
      );
    }
    expect(problems).toEqual([]);
    expect(said).toEqual([]);
  }, 120_000);
});
