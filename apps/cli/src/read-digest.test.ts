import { expect, test } from "vitest";
import { readDigest, shortDigest } from "./read-digest.ts";

const digest = `sha256:${"0123456789abcdef".repeat(4)}`;

test("the first 16 characters of a digest name it", () => {
  expect(shortDigest(digest)).toBe("0123456789abcdef");
  for (const given of [digest, "0123456789abcdef", "SHA256:0123456789ABCDEF", "0123456789abcdef01"])
    expect(readDigest({ digest }, given)).toBe(digest);
});

test.each(["0123456789abcde", "1123456789abcdef", "sha256:", "", `${digest}0`])(
  "%j does not name it",
  (given) => {
    expect(readDigest({ digest }, given)).toBe(given);
  },
);
