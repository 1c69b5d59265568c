import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { pages } from "../scripts/docs.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

it.each(Object.entries(pages))(
  "docs/%s is up to date (npm run docs writes it)",
  async (name, write) => {
    expect(await readFile(join(root, "docs", name), "utf8")).toBe(write());
  },
);

it("links in Markdown lead to files and headings that exist", () => {
  const files = execFileSync("git", ["ls-files", "*.md"], { cwd: root, encoding: "utf8" })
    .split("\n")
    .filter((file) => file !== "" && existsSync(join(root, file)));
  expect(files.length).toBeGreaterThan(20);
  expect(files.flatMap(brokenLinks)).toEqual([]);
});

it("docs/renamed.md names replacements that exist", () => {
  const sources = execFileSync("git", ["ls-files", "packages/*/src/*", "apps/*/src/*"], {
    cwd: root,
    encoding: "utf8",
  });
  const words = new Set(
    sources
      .split("\n")
      .filter((file) => /\.tsx?$/.test(file) && existsSync(join(root, file)))
      .flatMap((file) => readFileSync(join(root, file), "utf8").match(/\w+/g) ?? []),
  );
  const replacements = [
    ...readFileSync(join(root, "docs/renamed.md"), "utf8").matchAll(/^\|.* \| (.*) \|$/gm),
  ].flatMap(([, text = ""]) => [...text.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code));
  expect(replacements.length).toBeGreaterThan(80);
  // Operation IDs are derived from paths.
  const isOperationId = (word: string) => /^post[A-Z]/.test(word);
  expect(
    replacements
      .flatMap((code) => code.match(/\w+/g) ?? [])
      .filter((word) => !words.has(word) && !isOperationId(word)),
  ).toEqual([]);
});

function brokenLinks(file: string): string[] {
  const text = withoutCode(readFileSync(join(root, file), "utf8"));
  const targets = [
    ...text.matchAll(/\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)|(?:src|srcset)="([^"]+)"/gm),
  ]
    .map((match) => match[1] ?? match[2] ?? match[3] ?? "")
    .filter((target) => !/^[a-z]+:/.test(target));
  return targets
    .filter((target) => !leadsSomewhere(file, target))
    .map((target) => `${file}: ${target}`);
}

function leadsSomewhere(file: string, target: string): boolean {
  const [path = "", anchor] = target.split("#");
  const found = path === "" ? join(root, file) : join(root, dirname(file), path);
  if (!existsSync(found)) return false;
  return anchor === undefined || anchorsOf(readFileSync(found, "utf8")).has(anchor);
}

/** The anchors that Markdown hosts derive from headings, and explicit anchors. */
function anchorsOf(text: string): Set<string> {
  const headings = [...withoutCode(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/<[^>]*>|[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
  const explicit = [...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id);
  return new Set([...headings, ...explicit]);
}

function withoutCode(text: string): string {
  return text.replaceAll(/^ *```[\s\S]*?^ *```/gm, "");
}
