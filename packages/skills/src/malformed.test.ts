import { BronError } from "@bron/core";
import { skillLimits, type NewSkill } from "@bron/protocol";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { tgzOf, zipOf, type TarEntry, type ZipEntry } from "./archives.fixture.ts";
import { readNewSkill } from "./read-new-skill.ts";

const body = "\n# Tidy\n\nDo it.\n";
const good = `---\nname: tidy\ndescription: Use it to tidy up.\n---${body}`;
const matter = (yaml: string) => `---\n${yaml}\n---${body}`;

type Files = Readonly<Record<string, string | Uint8Array>>;

const folderOf = (files: Files, folder = "tidy"): NewSkill => ({
  folder,
  files: Object.entries(files).map(([path, content]) => ({
    path,
    content: Buffer.from(content).toString("base64"),
  })),
});
const skillFile = (text: string, folder?: string) => folderOf({ "SKILL.md": text }, folder);
const zip = (...entries: ZipEntry[]): NewSkill => ({ archive: zipOf(entries).toString("base64") });
const tgz = (...entries: TarEntry[]): NewSkill => ({ archive: tgzOf(entries).toString("base64") });
const raw = (bytes: Uint8Array): NewSkill => ({ archive: Buffer.from(bytes).toString("base64") });
const skillMd = { name: "SKILL.md", content: good };
const cut = (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length / 2));

/** What is wrong, the skill, and what the message must say. */
const malformed: readonly (readonly [string, NewSkill, RegExp])[] = [
  // Folders
  ["no SKILL.md", folderOf({ "README.md": "x" }), /no SKILL\.md/],
  ["skill.md in lower case", folderOf({ "skill.md": good }), /Rename skill\.md/],
  ["SKILL.md in a folder of the folder", folderOf({ "tidy/SKILL.md": good }), /no SKILL\.md/],
  ["an empty file", skillFile(""), /SKILL\.md, line 1: The file must begin/],
  [
    "bytes that are no text",
    folderOf({ "SKILL.md": new Uint8Array([0xff, 0xfe, 0x41]) }),
    /not UTF-8/,
  ],
  ["a zero byte", skillFile(`${good}\u0000`), /not UTF-8/],
  ["no front matter", skillFile("# Tidy"), /line 1: The file must begin/],
  ["a line before the front matter", skillFile(`\n${good}`), /line 1: The file must begin/],
  ["front matter without an end", skillFile("---\nname: tidy\n"), /line 1: .*missing/],
  [
    "front matter that is too long",
    skillFile(matter(`x: "${"y".repeat(20_000)}"`)),
    /more than 16384/,
  ],
  [
    "front matter that is no YAML",
    skillFile(matter("name: tidy\ndescription: [a, b")),
    /line \d: /,
  ],
  ["a tab as indentation", skillFile(matter("name: tidy\nmetadata:\n\ta: b")), /line 4: /],
  [
    "a key that comes twice",
    skillFile(matter("name: tidy\nname: other\ndescription: x")),
    /line 3: /,
  ],
  ["a list in place of keys", skillFile(matter("- name\n- description")), /must have keys/],
  ["a text in place of keys", skillFile(matter("tidy")), /must have keys/],
  ["an alias", skillFile(matter("name: &a tidy\ndescription: *a")), /line 2: Anchors and aliases/],
  [
    "aliases that multiply",
    skillFile(
      matter(`a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b]`),
    ),
    /Anchors and aliases/,
  ],
  ["a tag", skillFile(matter("name: !!js/function tidy\ndescription: x")), /line 2: Tags/],
  [
    "values that are nested too deeply",
    skillFile(matter(`name: tidy\ndescription: x\nmetadata: ${"[".repeat(40)}${"]".repeat(40)}`)),
    /line 4: .*nested/,
  ],
  ["no name", skillFile(matter("description: x")), /name: is missing/],
  ["an empty name", skillFile(matter('name: ""\ndescription: x')), /line 2: name: is missing/],
  [
    "a number as name",
    skillFile(matter("name: 12\ndescription: x"), "12"),
    /line 2: name: must be a text/,
  ],
  [
    "an upper case name",
    skillFile(matter("name: Tidy\ndescription: x"), "Tidy"),
    /name: may have lower case/,
  ],
  [
    "a name with a space",
    skillFile(matter("name: tidy up\ndescription: x"), "tidy up"),
    /name: may have/,
  ],
  [
    "a name with a slash",
    skillFile(matter("name: ../tidy\ndescription: x"), "../tidy"),
    /name: may have/,
  ],
  [
    "a name with two hyphens",
    skillFile(matter("name: tidy--up\ndescription: x"), "tidy--up"),
    /name: may have/,
  ],
  [
    "a name that ends with a hyphen",
    skillFile(matter("name: tidy-\ndescription: x"), "tidy-"),
    /name: may have/,
  ],
  [
    "a name with letters that look alike",
    skillFile(matter("name: tіdy\ndescription: x"), "tіdy"),
    /name: may have/,
  ],
  [
    "a name that is too long",
    skillFile(matter(`name: ${"a".repeat(65)}\ndescription: x`), "a".repeat(65)),
    /65 characters/,
  ],
  [
    "a name that is not that of the folder",
    skillFile(good, "other"),
    /line 2: name: is not that of the folder, "other"/,
  ],
  ["no description", skillFile(matter("name: tidy")), /description: is missing/],
  [
    "a description of spaces",
    skillFile(matter('name: tidy\ndescription: "   "')),
    /line 3: description: is missing/,
  ],
  [
    "a description that is too long",
    skillFile(matter(`name: tidy\ndescription: ${"d".repeat(1_025)}`)),
    /line 3: description: has 1025 characters/,
  ],
  [
    "a list as description",
    skillFile(matter("name: tidy\ndescription: [a]")),
    /line 3: description: must be a text/,
  ],
  [
    "a number as license",
    skillFile(matter("name: tidy\ndescription: x\nlicense: 2")),
    /line 4: license: must be a text/,
  ],
  [
    "a long compatibility",
    skillFile(matter(`name: tidy\ndescription: x\ncompatibility: ${"c".repeat(501)}`)),
    /line 4: compatibility: has 501/,
  ],
  [
    "a text as metadata",
    skillFile(matter("name: tidy\ndescription: x\nmetadata: y")),
    /line 4: metadata: must have keys/,
  ],
  [
    "keys as tools",
    skillFile(matter("name: tidy\ndescription: x\nallowed-tools: {a: b}")),
    /line 4: allowed-tools: must be names/,
  ],
  [
    "a tool that is no name",
    skillFile(matter("name: tidy\ndescription: x\nallowed-tools: gmail_search rm;-rf")),
    /line 4: allowed-tools: "rm;-rf"/,
  ],
  [
    "too many tools",
    skillFile(
      matter(
        `name: tidy\ndescription: x\nallowed-tools: ${Array.from({ length: 101 }, (_, index) => `t${index}`).join(" ")}`,
      ),
    ),
    /more than 100/,
  ],
  ["no instructions", skillFile("---\nname: tidy\ndescription: x\n---\n \n"), /no instructions/],
  [
    "a file outside of the folder",
    folderOf({ "SKILL.md": good, "../evil.md": "x" }),
    /leads out of the folder/,
  ],
  [
    "a file inside and outside",
    folderOf({ "SKILL.md": good, "a/../../evil.md": "x" }),
    /leads out of the folder/,
  ],
  ["an absolute path", folderOf({ "SKILL.md": good, "/etc/passwd": "x" }), /absolute/],
  ["a path of Windows", folderOf({ "SKILL.md": good, "C:/evil.md": "x" }), /absolute/],
  ["a backslash", folderOf({ "SKILL.md": good, "..\\evil.md": "x" }), /backslash/],
  [
    "a path with a line break",
    folderOf({ "SKILL.md": good, "a\nb.md": "x" }),
    /control characters/,
  ],
  [
    "a path with reversed text",
    folderOf({ "SKILL.md": good, "a\u202egnp.md": "x" }),
    /direction of text/,
  ],
  ["a path with an empty part", folderOf({ "SKILL.md": good, "a//b.md": "x" }), /without a name/],
  [
    "a path that is too long",
    folderOf({ "SKILL.md": good, [`${"a".repeat(201)}.md`]: "x" }),
    /more than 200/,
  ],
  [
    "too many levels",
    folderOf({ "SKILL.md": good, "a/b/c/d/e/f/g.md": "x" }),
    /more than 6 levels/,
  ],
  [
    "names that differ in case only",
    folderOf({ "SKILL.md": good, "A.md": "x", "a.md": "y" }),
    /same name/,
  ],
  [
    "too many files",
    folderOf({
      "SKILL.md": good,
      ...Object.fromEntries(Array.from({ length: 64 }, (_, index) => [`${index}.md`, "x"])),
    }),
    /more than 64 files/,
  ],
  [
    "a file that is too large",
    folderOf({ "SKILL.md": good, "a.md": "x".repeat(skillLimits.fileBytes + 1) }),
    /larger than 256 KB/,
  ],
  [
    "files that are too large together",
    folderOf({
      "SKILL.md": good,
      "a.md": "x".repeat(200_000),
      "b.md": "x".repeat(200_000),
      "c.md": "x".repeat(200_000),
    }),
    /larger than 512 KB together/,
  ],
  [
    "content that is not base64",
    { folder: "tidy", files: [{ path: "SKILL.md", content: "%%%" }] },
    /base64/,
  ],
  // Archives
  ["no archive", raw(Buffer.from("hello, this is a text")), /\.zip or a \.tgz/],
  ["nothing", raw(new Uint8Array([0])), /\.zip or a \.tgz/],
  ["a ZIP that is cut off", raw(cut(zipOf([skillMd]))), /damaged or cut off/],
  ["a ZIP with nothing in it", zip(), /no SKILL\.md/],
  ["a ZIP that leads out", zip(skillMd, { name: "../evil.md", content: "x" }), /leads out/],
  ["a ZIP with an absolute path", zip(skillMd, { name: "/evil.md", content: "x" }), /absolute/],
  [
    "a ZIP with a link",
    zip(skillMd, { name: "link", content: "/etc/passwd", mode: 0o120777 }),
    /is a link/,
  ],
  ["a ZIP with a device", zip(skillMd, { name: "dev", mode: 0o020666 }), /not a file/],
  ["a ZIP with a password", zip({ ...skillMd, flags: 0x801 }), /encrypted/],
  ["a ZIP with another method", zip({ ...skillMd, method: 99 }), /packed in a way/],
  ["a ZIP with a wrong checksum", zip({ ...skillMd, crc: 1 }), /damaged/],
  [
    "a ZIP with another name beside the content",
    zip({ ...skillMd, localName: "EVIL.md" }),
    /damaged/,
  ],
  ["a ZIP with a file twice", zip(skillMd, skillMd), /in it twice/],
  [
    "a ZIP that declares too little",
    zip({ name: "SKILL.md", content: "x".repeat(100_000), declaredSize: 10 }),
    /damaged, or larger/,
  ],
  [
    "a ZIP bomb",
    zip(skillMd, { name: "a.md", content: Buffer.alloc(50_000_000) }),
    /larger than 256 KB/,
  ],
  [
    "a ZIP bomb that hides its size",
    zip(skillMd, { name: "a.md", content: Buffer.alloc(50_000_000), declaredSize: 100 }),
    /damaged, or larger/,
  ],
  [
    "a ZIP with too many files",
    zip(
      skillMd,
      ...Array.from({ length: 64 }, (_, index) => ({ name: `${index}.md`, content: "x" })),
    ),
    /more than 64 files/,
  ],
  [
    "a ZIP with two skills",
    zip({ name: "a/SKILL.md", content: good }, { name: "b/SKILL.md", content: good }),
    /no SKILL\.md/,
  ],
  [
    "a ZIP whose folder has another name",
    zip({ name: "other/SKILL.md", content: good }),
    /not that of the folder, "other"/,
  ],
  ["a ZIP whose list is damaged", raw(Buffer.from(zipOf([skillMd])).fill(0, 60, 120)), /damaged/],
  [
    "a tar that is no gzip",
    raw(Buffer.concat([Buffer.from([0x1f, 0x8b]), Buffer.alloc(30)])),
    /damaged/,
  ],
  ["a tar that is cut off", raw(cut(tgzOf([skillMd]))), /damaged/],
  ["a tar without an end", raw(tgzOf([skillMd], { hasEnd: false })), /cut off/],
  ["a tar whose file is cut off", tgz({ ...skillMd, declaredSize: 9_999 }), /cut off/],
  ["a tar with a wrong checksum", tgz({ ...skillMd, checksum: 1 }), /damaged/],
  ["a tar that leads out", tgz(skillMd, { name: "../evil.md", content: "x" }), /leads out/],
  [
    "a tar that leads out by an extended name",
    tgz(
      skillMd,
      { name: "pax", type: "x", content: "22 path=../../evil.md\n" },
      { name: "a.md", content: "x" },
    ),
    /leads out/,
  ],
  [
    "a tar that leads out by a long name",
    tgz(
      skillMd,
      { name: "l", type: "L", content: "/etc/evil\u0000" },
      { name: "a.md", content: "x" },
    ),
    /absolute/,
  ],
  [
    "a tar with a symbolic link",
    tgz(skillMd, { name: "link", type: "2", linkName: "/etc/passwd" }),
    /is a link/,
  ],
  [
    "a tar with a hard link",
    tgz(skillMd, { name: "link", type: "1", linkName: "SKILL.md" }),
    /is a link/,
  ],
  ["a tar with a device", tgz(skillMd, { name: "dev", type: "3" }), /not a file/],
  ["a tar with a FIFO", tgz(skillMd, { name: "fifo", type: "6" }), /not a file/],
  [
    "a tar with a damaged extended header",
    tgz({ name: "pax", type: "x", content: "nonsense\n" }, skillMd),
    /header/,
  ],
  ["a tar bomb", raw(gzipSync(Buffer.alloc(100_000_000))), /too large when unpacked/],
  [
    "a tar with a large file",
    tgz(skillMd, { name: "a.md", content: "x".repeat(skillLimits.fileBytes + 1) }),
    /larger than 256 KB/,
  ],
];

describe("skills that cannot be used", () => {
  it("BR11 X9 has more than 50 of them", () => {
    expect(malformed.length).toBeGreaterThan(50);
  });

  it.each(malformed)("BR11 X9 rejects %s, and says what to do", async (_what, skill, says) => {
    const startedAt = performance.now();
    const error = await readNewSkill(skill).catch((thrown: unknown) => thrown);
    expect(BronError.is(error, "invalid_input") && error.message).toMatch(says);
    // A bomb would take seconds.
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});
