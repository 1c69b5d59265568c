import { describe, expect, it } from "vitest";
import { listFiles, readSources, type SourceFile } from "./architecture/source-tree.ts";
import { requirements } from "./requirements.ts";

const counts = { RT: 13, BR: 26, SC: 10, SR: 11, PA: 10, X: 8 };
const idInTitle = /\b(?:RT|BR|SC|SR|PA|X)\d+\b/g;
/** Contract suites hold tests that the test files of each implementation call. */
const testFile = /\.test\.tsx?$|^packages\/testing\/src\/contracts\//;

describe("requirements", () => {
  it("are complete, in order and named once", () => {
    const expected = Object.entries(counts).flatMap(([area, count]) => Array.from({ length: count }, (_, index) => `${area}${index + 1}`));
    expect(requirements.map(({ id }) => id)).toEqual(expected);
  });

  it("are cited by a test once they are done", () => {
    const cited = new Set(citations().map(({ id }) => id));
    expect(requirements.filter(({ id, state }) => state === "done" && !cited.has(id)).map(({ id, title }) => `${id} ${title}`)).toEqual([]);
  });

  it("exist when a test cites them", () => {
    const known = new Set(requirements.map(({ id }) => id));
    expect(citations().filter(({ id }) => !known.has(id))).toEqual([]);
  });
});

function citations(): { id: string; where: string }[] {
  const files = readSources(listFiles().filter((path) => testFile.test(path)));
  return files.flatMap((file) =>
    titlesOf(file).flatMap(({ title, line }) => Array.from(title.matchAll(idInTitle), ([id]) => ({ id, where: `${file.path}:${line}` }))),
  );
}

/** The titles of describe, it and test, with `.each(...)` and its like; those of skipped tests prove nothing. */
function titlesOf({ nodes, lineOf }: SourceFile): { title: string; line: number }[] {
  return nodes.flatMap(({ node }) => {
    if (node.type !== "CallExpression") return [];
    const callee = nameOf(node.callee);
    if (!/^(?:describe|it|test)\b/.test(callee) || /\.(?:skip|todo)\b/.test(callee)) return [];
    const title = textOf(node.arguments[0]);
    return title === undefined ? [] : [{ title, line: lineOf(node) }];
  });
}

type Node = SourceFile["nodes"][number]["node"];

/** "it", "it.skip", "describe.each" for `describe.each([...])(...)`. */
function nameOf(node: Node): string {
  if (node.type === "Identifier") return node.name;
  if (node.type === "CallExpression") return nameOf(node.callee);
  return node.type === "MemberExpression" ? `${nameOf(node.object)}.${nameOf(node.property)}` : "";
}

function textOf(node: Node | undefined): string | undefined {
  if (node?.type === "Literal" && typeof node.value === "string") return node.value;
  return node?.type === "TemplateLiteral" ? node.quasis.map(({ value }) => value.raw).join(" ") : undefined;
}
