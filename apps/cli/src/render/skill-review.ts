import {
  formatBytes,
  skillFileName,
  skillTitle,
  spellOut,
  visible,
  type SkillFileChange,
  type SkillFileKind,
  type SkillReview,
  type SkillSource,
  type SkillState,
  type SkillView,
} from "@bron/protocol";
import { paint, type Terminal } from "../terminal.ts";
import { fields } from "./table.ts";
import { oneLine } from "./visible.ts";

export const stateWords: Readonly<Record<SkillState, string>> = {
  accepted: "accepted",
  changed: "accepted, newer version to review",
  new: "to review",
};

const sourceWords: Readonly<Record<SkillSource, string>> = {
  shipped: "Bron",
  added: "you",
  home: "skills folder",
  folder: "trusted folder",
};

export function sourceOf({ accepted, proposed }: SkillView): string {
  const version = accepted ?? proposed;
  return version ? sourceWords[version.source] : "";
}

const kindWords: Readonly<Record<SkillFileKind, string>> = {
  instructions: "instructions",
  text: "text",
  script: "script, is never run",
  binary: "not text, is not kept",
};

/** What the owner has to know before they accept a version: what it may use, its files and its text. */
export function describeReview(
  terminal: Pick<Terminal, "color">,
  { skill, texts, unknownTools, changes }: SkillReview,
): string[] {
  const shown = skill.proposed ?? skill.accepted;
  if (!shown) return [];
  const { version, source, place } = shown;
  const rows: [string, string][] = [
    ["Name", oneLine(version.name)],
    ["State", stateWords[skill.state]],
    ["From", place === null ? sourceWords[source] : spellOut(place)],
    ["What for", oneLine(version.description, version.description.length)],
    ["Tools", toolsWords(version.allowedTools, unknownTools)],
    ...(version.license === null ? [] : ([["License", oneLine(version.license)]] as const)),
    ...(version.compatibility === null
      ? []
      : ([["Needs", oneLine(version.compatibility, 500)]] as const)),
    ["Version", version.digest],
  ].map(([label = "", text = ""]) => [label, text]);
  return [
    paint(terminal, "bold", oneLine(skillTitle(version.name))),
    ...fields(rows),
    "",
    ...version.files.map(
      ({ path, kind, sizeBytes }) =>
        `  ${spellOut(path)}  (${kindWords[kind]}, ${formatBytes(sizeBytes)})`,
    ),
    ...version.warnings.map((warning) => paint(terminal, "yellow", `  ${oneLine(warning, 300)}`)),
    "",
    ...(changes
      ? [
          "Changes since the version that you accepted:",
          ...changes.flatMap((change) => describeChange(terminal, change)),
        ]
      : textOf(texts)),
  ];
}

function toolsWords(allowed: readonly string[] | null, unknown: readonly string[]): string {
  if (allowed === null) return "all that the Bron has";
  if (allowed.length === 0) return "none, once it was read";
  const names = allowed.map(
    (name) => `${oneLine(name)}${unknown.includes(name) ? " (not here)" : ""}`,
  );
  return `only ${names.join(", ")}, once it was read`;
}

function textOf(texts: SkillReview["texts"]): string[] {
  const text = texts.find(({ path }) => path === skillFileName)?.text ?? "";
  return text.split("\n").map((part) => `  ${visible(part)}`.trimEnd());
}

const changeWords = { added: "new", removed: "removed", changed: "changed" } as const;
const marks = { same: "  ", added: "+ ", removed: "- ", gap: "…" } as const;

function describeChange(
  terminal: Pick<Terminal, "color">,
  { path, change, lines }: SkillFileChange,
): string[] {
  return [
    `  ${spellOut(path)}  (${changeWords[change]})`,
    ...lines.map(({ kind, text }) => {
      const part = `    ${marks[kind]}${visible(text)}`.trimEnd();
      if (kind === "added") return paint(terminal, "green", part);
      return kind === "removed" ? paint(terminal, "red", part) : part;
    }),
  ];
}
