import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { pages } from "../scripts/docs.ts";

it.each(Object.entries(pages))(
  "docs/%s is up to date (npm run docs writes it)",
  async (name, write) => {
    expect(await readFile(new URL(`../docs/${name}`, import.meta.url), "utf8")).toBe(write());
  },
);
