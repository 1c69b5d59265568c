import { expect, it } from "vitest";
import { formatBytes } from "./format-bytes.ts";

it.each([
  [0, "0 B"],
  [1_023, "1023 B"],
  [1_024, "1 KB"],
  [1_536, "1.5 KB"],
  [1_048_575, "1 MB"],
  [20 * 1_048_576, "20 MB"],
  [2_000 * 1_048_576, "2000 MB"],
])("formats %i bytes as %s", (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
