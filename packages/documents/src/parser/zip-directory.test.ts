import { expect, it } from "vitest";
import { textFile, zipOf, type ZipFile } from "../fixtures/zip-files.fixture.ts";
import { readZipDirectory } from "./zip-directory.ts";

const archive = (count: number) => zipOf(Array<ZipFile>(count).fill(textFile("a", "")));

it("BR22 accepts an archive of 10,000 files and rejects a larger one", () => {
  expect(readZipDirectory(archive(10_000))).toHaveLength(10_000);
  expect(() => readZipDirectory(archive(10_001))).toThrow(
    expect.objectContaining({ flaw: { code: "archive_crowded" } }),
  );
});
