// Checks the titles of commits: `type(scope): verb what`, in the imperative, at most 65 characters.
//
//   node scripts/check-titles.mjs --message <file>   checks one message; the hook commit-msg calls it
//   node scripts/check-titles.mjs <revision>         checks the commits after the revision
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const types = [
  "build",
  "chore",
  "ci",
  "docs",
  "feat",
  "fix",
  "perf",
  "refactor",
  "revert",
  "style",
  "test",
];
const maxLength = 65;

/** First words that show that a title is a statement or a noun phrase. */
const notVerbs = new Set(
  "a an and any are as at but each every for from how i if in is it its no not now of on only or our that the there these they this to we what when where which who why with you your".split(
    " ",
  ),
);
/** Verbs whose base form looks like another one. */
const baseForms = new Set(
  "address bring discuss embed express feed focus heed miss need pass press process seed speed spread string suppress".split(
    " ",
  ),
);

/** Git writes these titles itself, and they may stay. */
const revertTitle = /^(?:Revert|Reapply) ".+"$/;
/** A commit in progress may have these too. Git squashes drafts, and merges are skipped below. */
const draftOrMergeTitle =
  /^(?:(?:fixup|squash|amend)! |Merge (?:branch|commit|pull request|remote-tracking branch|tag))/;

/** Returns what is wrong with a title. The list is empty if the title is fine. */
export function checkTitle(title) {
  if (revertTitle.test(title)) return [];
  const match = /^([a-z]+)(?:\(([a-z0-9-]+(?:, ?[a-z0-9-]+)*)\))?(!)?: (\S.*)$/.exec(title);
  if (!match)
    return ["it must read `type(scope): verb what`; the scope is optional and in lower case"];
  const [, type, , , text] = match;
  const verb = /^\S+/.exec(text)[0];
  return [
    ...(types.includes(type) ? [] : [`the type "${type}" must be one of ${types.join(", ")}`]),
    ...(title.length <= maxLength
      ? []
      : [`it has ${title.length} characters, and the limit is ${maxLength}`]),
    ...(isImperative(verb) ? [] : [`"${verb}" must be a verb in the imperative, such as "add"`]),
    ...(/[.;:,]$/.test(text) ? ["it must not end with a punctuation mark"] : []),
  ];
}

function isImperative(word) {
  if (!/^[a-z][a-z-]*$/.test(word) || notVerbs.has(word)) return false;
  return baseForms.has(word) || !/(?:ing|ed|[^s]s)$/.test(word);
}

function titleOfMessage(file) {
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.find((line) => line.trim() !== "" && !line.startsWith("#")) ?? "";
}

/** Returns undefined if git does not know the revision. */
function titlesSince(revision) {
  const log = spawnSync("git", ["log", "--no-merges", "--format=%s", `${revision}..HEAD`], {
    encoding: "utf8",
  });
  return log.status === 0 ? log.stdout.split("\n").filter((title) => title !== "") : undefined;
}

function main([first, second]) {
  if (first === undefined || (first === "--message" && second === undefined)) {
    console.error("Usage: node scripts/check-titles.mjs --message <file> | <revision>");
    return 2;
  }
  const titles =
    first === "--message"
      ? [titleOfMessage(second)].filter((title) => !draftOrMergeTitle.test(title))
      : titlesSince(first);
  if (!titles) {
    console.error(`Git does not know the revision "${first}". Fetch it, or name another one.`);
    return 2;
  }
  const problems = titles.flatMap((title) =>
    checkTitle(title).map((problem) => `${title}\n  ${problem}`),
  );
  for (const problem of problems) console.error(problem);
  return problems.length === 0 ? 0 : 1;
}

if (import.meta.main ?? process.argv[1]?.endsWith("check-titles.mjs"))
  process.exitCode = main(process.argv.slice(2));
