import { describe, expect, it } from "vitest";
import { blankPng, pngBomb } from "./fixtures/image-files.fixture.ts";
import { emlOf, nestedEml } from "./fixtures/mail-files.fixture.ts";
import { childrenOf, watchChildren } from "./fixtures/watch-children.fixture.ts";
import { docxBomb } from "./fixtures/word-files.fixture.ts";
import { findBubblewrap } from "./isolation/bubblewrap.ts";
import { tryIsolation } from "./isolation/isolation.ts";
import { parseDocument } from "./parse-document.ts";

const onLinux = { skip: process.platform !== "linux" };
const isolations = [await tryIsolation(undefined), await tryIsolation(findBubblewrap())].filter((one, index, all) => index === 0 || one.level !== all[0]?.level);
const MB = 1024 * 1024;
const page = (body: string) => Buffer.from(`<!doctype html><body>${body}`);
const event = "BEGIN:VEVENT\nDTSTART;TZID=Europe/Berlin:20240701T090000\nRRULE:FREQ=SECONDLY\nSUMMARY:x\nEND:VEVENT\n";

/** What comes of each: "read" with what is told about it, or the error. */
const files: readonly (readonly [string, () => Uint8Array, RegExp])[] = [
  ["a Word document of 1 GB that says so", docxBomb, /^too_large .*1024 MB.*not unpacked/],
  ["a page of 100,000 levels", () => page(`${"<div>".repeat(100_000)}deep`), /^read 4 /],
  ["a page with an attribute of 19 MB", () => page(`<p title="${"a".repeat(19 * MB)}">text`), /^read 4 /],
  ["a page of endless tables", () => page("<table><tr><td>1<td>2".repeat(900_000)), /^read \d+ .*It is cut/],
  ["a page of words without end", () => page("word ".repeat(3_900_000)), /^read 2000000 .*It is cut/],
  ["a mail of 10,000 parts", () => emlOf([], { type: "text/plain", content: "x" }, Array.from({ length: 10_000 }, () => ({ type: "text/plain", name: "a", content: "y" }))), /^read \d+ .*10,000 files/],
  ["a mail 1,000 mails deep", () => nestedEml(1_000), /^read/],
  ["a mail with 13 MB of base64", () => emlOf([], { type: "text/plain", content: "x" }, [{ type: "text/plain", name: "a.txt", content: Buffer.alloc(13 * MB, "lorem ipsum\n") }]), /^read/],
  ["a mail that carries a Word document of 1 GB that denies it", () => emlOf([], { type: "text/plain", content: "x" }, [{ type: "application/octet-stream", name: "a.docx", content: docxBomb(200) }]), /^too_large/],
  ["a calendar of 200,000 lines and rules without end", () => Buffer.from(`BEGIN:VCALENDAR\n${event.repeat(40_000)}END:VCALENDAR\n`), /^read \d+ .*first 5,000 of 40,000/],
  ["an image of 3.6 billion pixels", pngBomb, /^too_large .*60000 by 60000/],
  ["an image as large as one may be", () => blankPng(5_000, 4_000), /^read 0 /],
];

for (const isolation of isolations) {
  describe(`a hostile file, with ${isolation.level} (BR22)`, onLinux, () => {
    it.for(files)("%s: stays below 560 MB, ends in time, and leaves this process alone", async ([, make, outcome]) => {
      const bytes = make();
      const { result, elapsedMs, childPeakMb, ownGrowthMb, loopDelayP99Ms } = await watchChildren(() => parseDocument({ bytes, isolation }));
      expect(result.status === "rejected" ? `${result.reason.code} ${result.reason.message}` : `read ${result.value.text.length} ${result.value.warnings.join(" ")}`).toMatch(outcome);
      expect(childPeakMb).toBeGreaterThan(40);
      expect(childPeakMb).toBeLessThan(560);
      expect(elapsedMs).toBeLessThan(12_000);
      expect(ownGrowthMb).toBeLessThan(90);
      expect(loopDelayP99Ms).toBeLessThan(200);
      expect(childrenOf(process.pid)).toEqual([]);
    });
  });
}
