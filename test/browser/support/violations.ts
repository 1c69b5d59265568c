import type { AxeResults } from "axe-core";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

/**
 * Serious and critical violations of accessibility rules, with their elements. `evaluate` runs axe
 * from outside, which the page's content security policy allows.
 */
export async function violationsOn(page: Page, rules?: readonly string[]): Promise<string[]> {
  const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
  await page.evaluate(await readFile(axe, "utf8"));
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
}
