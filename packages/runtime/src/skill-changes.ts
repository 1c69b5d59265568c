import type { SkillContent, SkillFileChange } from "@bron/protocol";

type Line = SkillFileChange["lines"][number];

/** Unchanged lines that are shown around a change. */
const around = 2;
/** A longer text is shown as removed and added, because comparing it takes time by the square. */
const maxComparedLines = 1_000;

/** What changes, file by file, if the second version takes the place of the first. */
export function compareSkills(before: SkillContent, after: SkillContent): SkillFileChange[] {
  const [old, now] = [filesOf(before), filesOf(after)];
  const paths = [...new Set([...old.keys(), ...now.keys()])].toSorted();
  return paths.flatMap((path): SkillFileChange[] => {
    const [a, b] = [old.get(path), now.get(path)];
    if (a?.digest === b?.digest) return [];
    const change = a ? (b ? "changed" : "removed") : "added";
    return [{ path, change, lines: compareLines(linesOf(a?.text), linesOf(b?.text)) }];
  });
}

function filesOf({ version, texts }: SkillContent) {
  const byPath = new Map(texts.map(({ path, text }) => [path, text]));
  return new Map(
    version.files.map(({ path, digest }) => [path, { digest, text: byPath.get(path) ?? null }]),
  );
}

const linesOf = (text: string | null | undefined): string[] =>
  text === null || text === undefined || text === "" ? [] : text.replace(/\n$/, "").split("\n");

/** The changed lines, with a few others around them. */
function compareLines(before: readonly string[], after: readonly string[]): Line[] {
  const start = commonStart(before, after);
  const end = commonStart(before.slice(start).toReversed(), after.slice(start).toReversed());
  const same = (text: string): Line => ({ kind: "same", text });
  const lines = [
    ...before.slice(0, start).map(same),
    ...changedLines(
      before.slice(start, before.length - end),
      after.slice(start, after.length - end),
    ),
    ...before.slice(before.length - end).map(same),
  ];
  return withoutFar(lines);
}

function commonStart(a: readonly string[], b: readonly string[]): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) if (a[at] !== b[at]) return at;
  return length;
}

/** By the longest common subsequence. */
function changedLines(a: readonly string[], b: readonly string[]): Line[] {
  if (Math.max(a.length, b.length) > maxComparedLines)
    return [
      ...a.map((text): Line => ({ kind: "removed", text })),
      ...b.map((text): Line => ({ kind: "added", text })),
    ];
  const width = b.length + 1;
  const longest = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number) => longest[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      longest[i * width + j] =
        a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const lines: Line[] = [];
  for (let [i, j] = [0, 0]; i < a.length || j < b.length;) {
    const [before, after] = [a[i], b[j]];
    if (before !== undefined && before === after) {
      lines.push({ kind: "same", text: before });
      [i, j] = [i + 1, j + 1];
    } else if (before !== undefined && (after === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ kind: "removed", text: before });
      i += 1;
    } else {
      lines.push({ kind: "added", text: after ?? "" });
      j += 1;
    }
  }
  return lines;
}

/** Leaves out unchanged lines that are not near a change. */
function withoutFar(lines: readonly Line[]): Line[] {
  const changed = lines.flatMap(({ kind }, index) => (kind === "same" ? [] : [index]));
  const near = new Set(
    changed.flatMap((index) =>
      Array.from({ length: 2 * around + 1 }, (_, offset) => index - around + offset),
    ),
  );
  const shown: Line[] = [];
  for (const [index, line] of lines.entries()) {
    if (near.has(index)) shown.push(line);
    else if (shown.at(-1)?.kind !== "gap") shown.push({ kind: "gap", text: "" });
  }
  return shown;
}
