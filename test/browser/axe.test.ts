import { beforeAll, describe, expect, it } from "vitest";
import { seedRuns, type SeededRuns } from "./support/seed-runs.ts";
import { startForFile } from "./support/start-for-file.ts";
import { unfoldSteps } from "./support/task-page.ts";
import { violationsOn } from "./support/violations.ts";

const { bron, signedInPage } = await startForFile();
const consoleErrors: string[] = [];
const page = await signedInPage({ reducedMotion: "reduce" }, (opened) => {
  // The browser reports a 404 as an error, and the page for unknown addresses causes some. All
  // other errors are bugs.
  opened.on(
    "console",
    (message) =>
      message.type() === "error" &&
      !message.text().includes("404") &&
      consoleErrors.push(message.text()),
  );
  opened.on("pageerror", (error) => consoleErrors.push(error.message));
});

describe("accessibility of every page, checked with axe", () => {
  let seeded: SeededRuns;
  beforeAll(async () => {
    seeded = await seedRuns(page);
  }, 120_000);

  const violationsOnPage = (rules?: readonly string[]) => violationsOn(page, rules);
  const places: readonly (readonly [
    name: string,
    path: () => string,
    ready: string | RegExp,
    act?: () => Promise<void>,
  ])[] = [
    ["the chat", () => "/", "What can I do for you?"],
    ["the tasks", () => "/tasks", "Tasks"],
    ["the archive", () => "/tasks?show=archived", "Tasks"],
    ["the Brons", () => "/brons", "Research"],
    [
      "making a Bron",
      () => "/brons",
      "Research",
      () => page.getByRole("button", { name: "New Bron" }).click(),
    ],
    ["a Bron", () => `/brons/${seeded.second.id}`, "Research"],
    [
      "a Bron's settings",
      () => `/brons/${seeded.second.id}`,
      "Research",
      () => page.getByRole("tab", { name: "Settings" }).click(),
    ],
    [
      "a Bron's tools",
      () => `/brons/${seeded.second.id}`,
      "Research",
      () => page.getByRole("tab", { name: "Tools" }).click(),
    ],
    [
      "a run that is over",
      () => `/runs/${seeded.finishedRun}`,
      /^Find the latest invoice/,
      async () => {
        await unfoldSteps(page);
        await page.getByRole("heading", { name: /^Details from / }).waitFor();
      },
    ],
    [
      "a file's preview",
      () => `/runs/${seeded.finishedRun}`,
      /^Find the latest invoice/,
      async () => {
        await page.getByRole("button", { name: /^Preview .*\.pdf/ }).click();
        await page.getByText("Page 1 of 1").waitFor();
      },
    ],
    ["a run that asks", () => `/runs/${seeded.pendingRun}`, "Send this email?"],
    ["the approvals", () => "/approvals", "Send this email?"],
    ["the connections", () => "/connections", "Google"],
    ["the permissions", () => "/permissions", "Rules"],
    [
      "the audit",
      () => "/audit",
      "Today",
      async () => {
        await page.getByText("Sent an email").first().click();
        await page.getByText("Details", { exact: true }).first().click();
      },
    ],
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

  it("X8 has no serious violation on any page, light or dark", async () => {
    const problems: string[] = [];
    for (const [name, path, ready, act] of places) {
      await page.emulateMedia({ colorScheme: "light" });
      await page.goto(`${bron.url}${path()}`);
      await page.getByRole("heading", { name: ready }).first().waitFor();
      await act?.();
      problems.push(...(await violationsOnPage()).map((problem) => `${name}: ${problem}`));
      // The two themes differ only in their colors.
      await page.emulateMedia({ colorScheme: "dark" });
      problems.push(
        ...(await violationsOnPage(["color-contrast", "link-in-text-block"])).map(
          (problem) => `${name}, dark: ${problem}`,
        ),
      );
    }
    expect(problems).toEqual([]);
    expect(consoleErrors).toEqual([]);
  }, 120_000);
});
