import { expect, test } from "vitest";
import { checkSummary } from "./check-summary.ts";

const long = "ä".repeat(400);

test.each([
  ["", "before", "empty"],
  ["  \n", "", "empty"],
  ["ä".repeat(1_025), "", "too_long"],
  ["Likes tea.", long, "too_short"],
] as const)("BR15 keeps the old summary instead of %j", (written, before, why) => {
  expect(checkSummary(written, before)).toEqual({ ok: false, why });
});

test.each([
  [" Likes tea. ", ""],
  ["Likes tea.", "Likes coffee."],
  ["ä".repeat(1_024), long],
  ["ä".repeat(256), long],
])(
  "BR15 takes a summary of at most 2 KB that did not lose most of the old one",
  (written, before) => {
    expect(checkSummary(written, before)).toEqual({ ok: true, text: written.trim() });
  },
);
