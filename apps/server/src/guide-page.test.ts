import { expect, it } from "vitest";
import { renderGuide } from "./guide-page.ts";

it.each([
  "configuration",
  "connecting-google",
  "connecting-slack",
  "mcp",
  "operations",
  "security",
])("renders the guide %s with links that this server serves", async (name) => {
  const page = await renderGuide(name);
  expect(page).toMatch(/<title>[^<]+<\/title>[\s\S]+<h1 id="[a-z-]+">[^<]+<\/h1>/);
  for (const [, href = ""] of page.matchAll(/<a href="([^"]*)"/g))
    expect(href).toMatch(/^(?:https?:\/\/|#|\/$|\/docs(?:$|\/errors|\/guides\/[a-z-]+(?:#|$)))/);
  for (const [, anchor = ""] of page.matchAll(/<a href="#([^"]*)"/g))
    expect(page).toContain(`id="${anchor}"`);
});

it("links one guide to another, and shows the name of a page that is not served", async () => {
  expect(await renderGuide("connecting-google")).toContain(
    '<a href="/docs/guides/security">security.md</a>',
  );
  expect(await renderGuide("security")).not.toContain('.ts">');
});

it.each(["glossary", "../README", "__proto__"])("finds no guide %j", async (name) => {
  await expect(renderGuide(name)).rejects.toMatchObject({ code: "not_found" });
});
