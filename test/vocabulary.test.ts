import { describe, expect, it } from "vitest";
import { findProblems } from "../scripts/vocabulary.ts";

const problemsIn = (text: string, path = "packages/core/src/example.ts") =>
  findProblems([{ path, text }]);

describe("the vocabulary check", () => {
  it.each([
    ["a variable", "const beatMs = 5;", 'beatMs: say heartbeat, not "beat"'],
    ["a function", "export function tellDeed() {}", 'tellDeed: say RuntimeEvent, not "deed"'],
    ["a parameter", "run((story) => story);", 'story: say timeline, not "story"'],
    ["a destructured name", "const { lab } = open();", 'lab: say harness, not "lab"'],
    ["a type", "interface WorldState {}", 'WorldState: say simulator, not "world"'],
    [
      "a member of a type",
      "type A = { readonly botName: string };",
      'botName: say Bron, not "bot"',
    ],
  ])("finds a wrong word in %s", (_where, text, problem) => {
    expect(problemsIn(text)).toEqual([`packages/core/src/example.ts:1 ${problem}`]);
  });

  it("finds a wrong word in the name of a file", () => {
    expect(problemsIn("", "packages/core/src/run-story.ts")).toEqual([
      'packages/core/src/run-story.ts:1 run-story: say timeline, not "story"',
    ]);
  });

  it("leaves the names of a library alone where they are only used", () => {
    expect(problemsIn("library.beat(other.story);")).toEqual([]);
  });

  it("finds British spelling in code, comments and documents", () => {
    expect(problemsIn("// The colour is normalised.", "docs/example.md")).toEqual([
      "docs/example.md:1 colour: write color",
      "docs/example.md:1 normalised: write normalized",
    ]);
  });

  it("names the line", () => {
    expect(problemsIn("\n\nconst grey = 1;")).toEqual([
      "packages/core/src/example.ts:3 grey: write gray",
    ]);
  });
});
