import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { errorsPage } from "../scripts/docs.ts";

it("docs/errors.md says what the error table says; npm run docs writes it", async () => {
  expect(await readFile(new URL("../docs/errors.md", import.meta.url), "utf8")).toBe(errorsPage());
});
