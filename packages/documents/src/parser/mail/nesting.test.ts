import { expect, it } from "vitest";
import { beginNesting, goDeeper } from "./nesting.ts";

const MB = 1024 * 1024;

it("BR22 what files of a mail take in all is paid for, at whatever depth they lie", () => {
  const mail = beginNesting();
  const inner = goDeeper(mail, { byteCount: 25 * MB, isImage: false });
  if (typeof inner === "string") throw new Error(inner);
  expect(goDeeper(inner, { byteCount: 16 * MB, isImage: false })).toContain("too large in all");
  expect(goDeeper(mail, { byteCount: 16 * MB, isImage: false })).toContain("too large in all");
  expect(goDeeper(mail, { byteCount: 15 * MB, isImage: false })).toMatchObject({ depth: 1 });
  expect(goDeeper(mail, { byteCount: 1, isImage: false })).toContain("too large in all");
});

it("BR22 five images are read, since each takes seconds", () => {
  const mail = beginNesting();
  for (let image = 0; image < 5; image++)
    expect(goDeeper(mail, { byteCount: 1, isImage: true })).toMatchObject({ depth: 1 });
  expect(goDeeper(mail, { byteCount: 1, isImage: true })).toContain("too many images");
  expect(goDeeper(mail, { byteCount: 1, isImage: false })).toMatchObject({ depth: 1 });
});
