import { expect, it } from "vitest";
import { createNesting, goDeeper } from "./nesting.ts";

const MB = 1024 * 1024;

it("BR22 attachments at any depth share one budget", () => {
  const mail = createNesting();
  const inner = goDeeper(mail, { byteCount: 25 * MB, isImage: false });
  if (typeof inner === "string") throw new Error(inner);
  expect(goDeeper(inner, { byteCount: 16 * MB, isImage: false })).toContain("too large in total");
  expect(goDeeper(mail, { byteCount: 16 * MB, isImage: false })).toContain("too large in total");
  expect(goDeeper(mail, { byteCount: 15 * MB, isImage: false })).toMatchObject({ depth: 1 });
  expect(goDeeper(mail, { byteCount: 1, isImage: false })).toContain("too large in total");
});

it("BR22 at most five images are read, because each takes seconds", () => {
  const mail = createNesting();
  for (let image = 0; image < 5; image++)
    expect(goDeeper(mail, { byteCount: 1, isImage: true })).toMatchObject({ depth: 1 });
  expect(goDeeper(mail, { byteCount: 1, isImage: true })).toContain("too many images");
  expect(goDeeper(mail, { byteCount: 1, isImage: false })).toMatchObject({ depth: 1 });
});
