import { describe, expect, it } from "vitest";
import { createEntryNames } from "./entry-names.ts";

const cases: readonly (readonly [string, string])[] = [
  ["report.pdf", "report.pdf"],
  ["../../etc/passwd", "_._etc_passwd"],
  ["C:\\a\\b.txt", "C__a_b.txt"],
  ["..", "file"],
  [".hidden", "hidden"],
  ["a\0b\r\n.txt", "a_b__.txt"],
  ["evil\u202Egpj.exe", "evil_gpj.exe"],
  ["aux.log", "_aux.log"],
  ["auxiliary.log", "auxiliary.log"],
  ["e\u0301.txt", "\u00e9.txt"],
  ["half \ud83d.txt", "half _.txt"],
  [`${"a".repeat(115)}. . .b.pdf`, `${"a".repeat(115)}.pdf`],
];

describe("names of entries", () => {
  it.for(cases)("BR25 %j becomes %j", ([given, name]) => {
    expect(createEntryNames()(given)).toBe(name);
  });

  it("BR25 are unique regardless of case, and within the length limit", () => {
    const nameOf = createEntryNames();
    expect(["a.txt", "A.TXT", "a.txt", "a (2).txt"].map(nameOf)).toEqual([
      "a.txt",
      "A (2).TXT",
      "a (3).txt",
      "a (2) (2).txt",
    ]);
    const long = Array.from({ length: 12 }, () => nameOf(`${"x".repeat(500)}.pdf`));
    expect(new Set(long).size).toBe(12);
    for (const name of long) expect([name.length, name.endsWith(".pdf")]).toEqual([120, true]);
    expect(Buffer.byteLength(nameOf("漢".repeat(500)))).toBeLessThanOrEqual(240);
  });

  it("BR25 take linear time", () => {
    const before = process.cpuUsage();
    createEntryNames()(`a${" ".repeat(2_000_000)}b.txt`);
    createEntryNames()("\u{1F600}".repeat(1_000_000));
    // Measures CPU time, which other processes do not affect. Quadratic time would take hours.
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(2_000);
  });
});
