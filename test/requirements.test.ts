import { globSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { longer } from "../vitest.config.ts";
import {
  listFiles,
  parseSource,
  readText,
  root,
  type SourceFile,
} from "./architecture/source-tree.ts";
import { requirements } from "./requirements.ts";

const counts = { RT: 13, BR: 33, SC: 10, SR: 14, PA: 11, X: 9 };
const idInTitle = /\b(?:RT|BR|SC|SR|PA|X)\d+\b/g;
const anyId = new RegExp(idInTitle.source);
/** Contract suites contain tests that the test files of each implementation call. */
const testFile = /\.test\.tsx?$|^packages\/testing\/src\/contracts\//;

/** On a busy machine, parsing the tests takes longer than a test may. */
const parseLimitMs = 180_000;

describe("requirements", () => {
  let citations: readonly Citation[];
  beforeAll(() => {
    citations = readCitations();
  }, parseLimitMs);

  it("are complete, in order and named once", () => {
    const expected = Object.entries(counts).flatMap(([area, count]) =>
      Array.from({ length: count }, (_, index) => `${area}${index + 1}`),
    );
    expect(requirements.map(({ id }) => id)).toEqual(expected);
  });

  it("are cited, once they are done, by a test that npm test runs on every machine", () => {
    const inLongSuite = new Set(globSync(longer, { cwd: root }));
    const cited = new Set(
      citations
        .filter(({ path, isSkipped }) => !isSkipped && !inLongSuite.has(path))
        .map(({ id }) => id),
    );
    expect(
      requirements
        .filter(({ id, state }) => state === "done" && !cited.has(id))
        .map(({ id, title }) => `${id} ${title}`),
    ).toEqual([]);
  });

  it("exist when a test cites them", () => {
    const known = new Set(requirements.map(({ id }) => id));
    expect(
      citations.flatMap(({ id, path, line }) => (known.has(id) ? [] : [`${path}:${line} ${id}`])),
    ).toEqual([]);
  });
});

interface Citation {
  readonly id: string;
  readonly path: string;
  readonly line: number;
  readonly isSkipped: boolean;
}

/** Reads each file once, and parses only those that contain an id. */
function readCitations(): Citation[] {
  const files = listFiles()
    .filter((path) => testFile.test(path))
    .map((path) => ({ path, text: readText(path) }))
    .filter(({ text }) => anyId.test(text));
  return files.flatMap(({ path, text }) =>
    titlesOf(parseSource(path, text)).flatMap(({ title, ...where }) =>
      Array.from(title.matchAll(idInTitle), ([id]) => ({ id, path, ...where })),
    ),
  );
}

/**
 * The titles of describe, it and test, also with `.each(...)` and similar. A test is skipped if a
 * describe around it is.
 */
function titlesOf({
  nodes,
  lineOf,
}: SourceFile): { title: string; line: number; isSkipped: boolean }[] {
  const parents = new Map(nodes.map(({ node, parent }) => [node, parent]));
  return nodes.flatMap(({ node }) => {
    if (node.type !== "CallExpression" || !isTest(node)) return [];
    const title = textOf(node.arguments[0]);
    if (title === undefined) return [];
    let isSkipped = false;
    for (let one: Node | undefined = node; one; one = parents.get(one)) isSkipped ||= maySkip(one);
    return [{ title, line: lineOf(node), isSkipped }];
  });
}

function isTest(node: Node): boolean {
  return node.type === "CallExpression" && /^(?:describe|it|test)\b/.test(nameOf(node.callee));
}

/**
 * `it.skip`, `describe.skipIf(...)`, and `{ skip: ... }` among the arguments. A conditional skip
 * counts too, because it may apply on some machine.
 */
function maySkip(node: Node): boolean {
  if (node.type !== "CallExpression" || !isTest(node)) return false;
  if (/\.(?:skip|todo|skipIf|runIf)\b/.test(nameOf(node.callee))) return true;
  return node.arguments.some(
    (argument) =>
      argument.type === "ObjectExpression" &&
      argument.properties.some(
        (property) => property.type === "Property" && /^(?:skip|todo)$/.test(nameOf(property.key)),
      ),
  );
}

type Node = SourceFile["nodes"][number]["node"];

/** The call's name: "it", "it.skip", or "describe.each" for `describe.each([...])(...)`. */
function nameOf(node: Node): string {
  if (node.type === "Identifier") return node.name;
  if (node.type === "CallExpression") return nameOf(node.callee);
  return node.type === "MemberExpression" ? `${nameOf(node.object)}.${nameOf(node.property)}` : "";
}

function textOf(node: Node | undefined): string | undefined {
  if (node?.type === "Literal" && typeof node.value === "string") return node.value;
  return node?.type === "TemplateLiteral"
    ? node.quasis.map(({ value }) => value.raw).join(" ")
    : undefined;
}
