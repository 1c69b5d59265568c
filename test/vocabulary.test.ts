import { describe, expect, it } from "vitest";
import { formsOf, readGlossary } from "../scripts/glossary-rules.ts";
import { findProblems, unusedExceptions } from "../scripts/vocabulary.ts";

const problemsIn = (text: string, path = "packages/core/src/example.ts") =>
  findProblems([{ path, text }]);

describe("the vocabulary check", () => {
  it.each([
    ["a variable", "const beatMs = 5;", 'beatMs: say heartbeat, not "beat"'],
    [
      "a function",
      "export function tellDeed() {}",
      'tellDeed: say effect or telemetry, not "deed"',
    ],
    ["a parameter", "run((story) => story);", 'story: say timeline, not "story"'],
    ["a destructured name", "const { lab } = open();", 'lab: say harness, not "lab"'],
    ["a type", "interface WorldState {}", 'WorldState: say sandbox or simulator, not "world"'],
    [
      "a member of a type",
      "type A = { readonly botName: string };",
      'botName: say Bron, not "bot"',
    ],
    ["a compound", "const decisionQueue = 1;", 'decisionQueue: say approval, not "decision"'],
    ["a word that is right in tests", "const turnCount = 1;", 'turnCount: say step, not "turn"'],
    ["a plural", "const jobs = [];", 'jobs: say task or run, not "jobs"'],
    ["a verb form", "let isFollowed = true;", 'isFollowed: say subscribe, not "followed"'],
    ["a phrase", "function takeBack() {}", 'takeBack: say undo, not "take back"'],
    ["a field of a class", "class A { lab = 1; }", 'lab: say harness, not "lab"'],
    ["a private field", "class A { #lab = 1; }", 'lab: say harness, not "lab"'],
    ["a method", "class A { nudge() {} }", 'nudge: say steering, not "nudge"'],
    ["a key of an object", "const a = { b: [{ lab: 1 }] };", 'lab: say harness, not "lab"'],
    ["a key of a result", "const f = () => ({ lab: 1 });", 'lab: say harness, not "lab"'],
    ["a member of an enum", "enum A { Declined }", 'Declined: say approve, deny, not "declined"'],
    ["a type parameter", "type A<Tenant> = Tenant;", 'Tenant: say owner, not "tenant"'],
    ["a parameter of a type", "type A = (lab: 1) => void;", 'lab: say harness, not "lab"'],
    ["an alias of an import", 'import { x as lab } from "x";', 'lab: say harness, not "lab"'],
    ["an alias of an export", "export { x as beat };", 'beat: say heartbeat, not "beat"'],
    ["a caught value", "try {} catch (deed) {}", 'deed: say effect or telemetry, not "deed"'],
  ])("finds a wrong word in %s", (_where, text, problem) => {
    expect(problemsIn(text)).toEqual([`packages/core/src/example.ts:1 ${problem}`]);
  });

  it("finds a wrong word in the name of a file", () => {
    expect(problemsIn("", "packages/core/src/run-story.ts")).toEqual([
      'packages/core/src/run-story.ts:1 run-story: say timeline, not "story"',
    ]);
  });

  it("finds a wrong word in the name of a folder, once", () => {
    const files = ["a", "b"].map((name) => ({ path: `packages/world/src/${name}.ts`, text: "" }));
    expect(findProblems(files)).toEqual([
      'packages/world world: say sandbox or simulator, not "world"',
    ]);
  });

  it.each([
    "library.beat(other.story);",
    "library.open({ beat: 1, story: 2 });",
    'import { beat } from "library";',
    'export { beat } from "library";',
  ])("leaves the names of a library alone where they are only used: %s", (text) => {
    expect(problemsIn(text)).toEqual([]);
  });

  it("takes every word of the glossary's column, except those with an asterisk", () => {
    const glossary = [
      "| word | meaning | not |",
      "|---|---|---|",
      "| `deps` | one object | parts, in doubt, hash* |",
      "| step | one call | turn, except in `maxTurns`, parts |",
    ].join("\n");
    expect(readGlossary(glossary)).toEqual([
      { words: ["parts"], instead: "deps or step", exceptNames: [] },
      { words: ["in", "doubt"], instead: "deps", exceptNames: [] },
      { words: ["turn"], instead: "step", exceptNames: ["maxTurns"] },
    ]);
  });

  it.each([
    ["job", ["job", "jobs", "jobbed", "jobbing"]],
    ["story", ["story", "stories", "storied", "storying"]],
    ["decline", ["decline", "declines", "declined", "declining"]],
    ["follow", ["follow", "follows", "followed", "following"]],
    ["withdraw", ["withdraw", "withdraws", "withdrawed", "withdrawing", "withdrew", "withdrawn"]],
  ])("knows the forms of %s", (word, forms) => {
    expect([...formsOf(word)]).toEqual(forms);
  });

  it("has no exception for a word that the glossary does not reject", () => {
    expect(unusedExceptions()).toEqual([]);
  });

  it("finds British spelling in code, comments and documents", () => {
    expect(problemsIn("// The colour is normalised.", "docs/example.md")).toEqual([
      "docs/example.md:1 colour: write color",
      "docs/example.md:1 normalised: write normalized",
    ]);
  });

  it.each([
    ["flavour", "flavor"],
    ["prioritise", "prioritize"],
    ["utilised", "utilized"],
    ["categorising", "categorizing"],
    ["finalisation", "finalization"],
    ["fulfil", "fulfill"],
    ["fulfilment", "fulfillment"],
    ["learnt", "learned"],
    ["programme", "program"],
    ["travelling", "traveling"],
  ])("rejects the spelling %s", (word, instead) => {
    expect(problemsIn(`# The ${word}.`, ".github/workflows/ci.yml")).toEqual([
      `.github/workflows/ci.yml:1 ${word}: write ${instead}`,
    ]);
  });

  it("accepts words that US English spells with -ise", () => {
    const text =
      "exercise otherwise precise promised raising noise supervised surprise bitwise imprecise merchandise fulfilled programmer isRevised";
    expect(problemsIn(text, "README.md")).toEqual([]);
  });

  it("accepts Google's spelling of a status only in the files that read it", () => {
    expect(problemsIn("The task was cancelled", "apps/web/src/words/run.md")).toEqual([
      "apps/web/src/words/run.md:1 cancelled: write canceled",
    ]);
    expect(problemsIn("cancelled", "packages/connectors/src/calendar/a.md")).toEqual([]);
  });

  it("names the line", () => {
    expect(problemsIn("\n\nconst grey = 1;")).toEqual([
      "packages/core/src/example.ts:3 grey: write gray",
    ]);
  });
});
