import { describe, expect, it } from "vitest";
import { tgzOf, zipOf } from "./archives.fixture.ts";
import { namesOfTools } from "./allowed-tools.ts";
import { createSkillReader } from "./create-skill-reader.ts";
import { parseSkill } from "./parse-skill.ts";
import { readNewSkill } from "./read-new-skill.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const parse = async (
  text: string,
  more: Readonly<Record<string, string>> = {},
  folder = "tidy",
) => {
  const files = new Map(
    Object.entries({ "SKILL.md": text, ...more }).map(([path, content]) => [path, bytes(content)]),
  );
  const parsed = await parseSkill({ folder, files });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.content;
};
const plain = "---\nname: tidy\ndescription: Use it.\n---\nDo it.\n";

describe("a skill", () => {
  it("BR11 has its fields, its files with their kinds, and one digest over them", async () => {
    const { version, texts } = await parse(
      `---\r
name: tidy\r
description: >\r
  Use it\r
  to tidy.\r
license: MIT\r
compatibility: Needs Gmail\r
metadata:\r
  author: Eva\r
allowed-tools: gmail_search Bash(git add:*) Read\r
---\r
Do it.\r
`,
      {
        "references/a.md": "A",
        "scripts/run.sh": "echo",
        "bin/tool": "#!/bin/sh",
        "assets/x.png": "a\u0000b",
        ".DS_Store": "junk",
        "__MACOSX/x": "junk",
      },
    );
    expect(version).toMatchObject({
      name: "tidy",
      description: "Use it to tidy.",
      license: "MIT",
      compatibility: "Needs Gmail",
      allowedTools: ["gmail_search", "Bash", "Read"],
      warnings: [],
    });
    expect(version.files.map(({ path, kind }) => [path, kind])).toEqual([
      ["SKILL.md", "instructions"],
      ["assets/x.png", "binary"],
      ["bin/tool", "script"],
      ["references/a.md", "text"],
      ["scripts/run.sh", "script"],
    ]);
    expect(texts.find(({ path }) => path === "assets/x.png")?.text).toBeNull();
    expect(texts.find(({ path }) => path === "SKILL.md")?.text).toContain("metadata:");
    const digests = await Promise.all([
      parse(plain),
      parse(plain, { "a.md": "1" }),
      parse(plain, { "a.md": "2" }),
      parse(plain, { "b.md": "1" }),
    ]);
    expect(new Set(digests.map((content) => content.version.digest)).size).toBe(4);
  });

  it("BR11 keeps keys that Bron does not know, with a warning and its line", async () => {
    const { version, texts } = await parse(
      "---\nname: tidy\ndescription: Use it.\nmodel: opus\n---\nDo it.\n",
    );
    expect(version.warnings).toEqual(['Line 4: "model" has no effect in Bron.']);
    expect(texts[0]?.text).toContain("model: opus");
  });

  it("BR11 may have underscores in its name, as the requirements do, with a warning", async () => {
    const { version } = await parse(
      "---\nname: email_draft_writer\ndescription: Use it.\n---\nDo it.\n",
      {},
      "email_draft_writer",
    );
    expect(version.warnings).toEqual([
      "The name has underscores. Other programs want hyphens: email-draft-writer.",
    ]);
  });

  it("BR11 has a description of one line, without characters that a terminal acts on", async () => {
    const { version } = await parse(
      '---\nname: tidy\ndescription: "a\\nb\\e[31m\\u202ec"\n---\nDo it.\n',
    );
    expect(version.description).toBe("a b [31mc");
  });

  it.each([
    ["a b, c", ["a", "b", "c"]],
    ["Bash(git:*) Bash(jq:*)", ["Bash"]],
    [
      ["a", "b c"],
      ["a", "b", "c"],
    ],
    ["a(((", ["a"]],
    [null, []],
    [12, undefined],
    [[1], undefined],
  ])("BR11 reads the allowed tools %j", (value, names) => {
    expect(namesOfTools(value)).toEqual(names);
  });

  it("BR11 comes from a ZIP or a tar archive, with or without a folder around it", async () => {
    const files = [
      { name: "SKILL.md", content: plain },
      { name: "references/a.md", content: "A" },
    ];
    const inFolder = files.map((file) => ({ ...file, name: `tidy/${file.name}` }));
    const long = `./tidy/references/${"a".repeat(120)}.md`;
    const archives = [
      zipOf(files),
      zipOf([{ name: "tidy/", mode: 0o040755, method: 0 }, ...inFolder]),
      zipOf(files.map((file) => ({ ...file, method: 0 }))),
      tgzOf(files),
      tgzOf([
        { name: "./tidy/", type: "5" },
        ...inFolder.map((file) => ({ ...file, name: `./${file.name}` })),
      ]),
    ];
    const read = await Promise.all(
      archives.map(async (archive) => await readNewSkill({ archive: archive.toString("base64") })),
    );
    expect(new Set(read.map(({ version }) => version.digest)).size).toBe(1);
    const record = (text: string) => {
      const length = text.length + 2;
      return `${length + String(length).length} ${text}\n`;
    };
    const withLong = tgzOf([
      ...inFolder,
      { name: "pax", type: "x", content: record(`path=${long}`) },
      { name: "short", content: "L" },
      { name: "l", type: "L", content: `tidy/${"b".repeat(110)}.md\u0000` },
      { name: "short", content: "L" },
    ]);
    const { version } = await readNewSkill({ archive: withLong.toString("base64") });
    expect(version.files.map(({ path }) => path)).toEqual([
      "SKILL.md",
      `${"b".repeat(110)}.md`,
      "references/a.md",
      `references/${"a".repeat(120)}.md`,
    ]);
  });
});

describe("the skills that come with Bron", () => {
  it("BR11 are the three of the requirements, with trigger, procedure, output and safety", async () => {
    const shipped = await createSkillReader({ home: "/nowhere" }).shipped();
    expect(shipped.map(({ version }) => version.name)).toEqual([
      "doc-info-extractor",
      "email-draft-writer",
      "gmail-attachment-extractor",
    ]);
    for (const { version, texts } of shipped) {
      const text = texts.find(({ path }) => path === "SKILL.md")?.text ?? "";
      const headings = ["## When to use this", "## Procedure", "## What to show", "## Safety"];
      for (const heading of headings) expect(text).toContain(heading);
      expect(version.description).toMatch(/\. Use when a task /);
      expect(version.warnings).toEqual([]);
      // Several are read in one task, so none takes tools away from another.
      expect(version.allowedTools).toBeNull();
      // What they say counts as Bron's own text, so they name no one and link nowhere.
      expect(texts.map((file) => file.text).join("\n")).not.toMatch(/https?:|\w@\w/);
    }
  });
});
