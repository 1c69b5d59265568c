import {
  describeItem,
  isInformation,
  describeRisk as describeRiskText,
  originWords,
  toolLabel,
  visible,
  type ApprovalView,
  type FieldDiff,
  type Risk,
  type RiskSource,
} from "@bron/protocol";
import { indent, oneLine } from "./visible.ts";

/**
 * Lists values that may come from untrusted content, and where they were found. Quotes their text,
 * so that it cannot pass for Bron's own output.
 */
export function describeRisks(
  risks: ApprovalView["risks"],
  { moreWith }: { readonly moreWith?: string } = {},
): string[] {
  const information = risks.filter(isInformation);
  const toCheck = risks.filter((risk) => !isInformation(risk));
  return [
    ...information.map(({ why }) => oneLine(describeRiskText(why), 400)),
    ...(information.length === 0 ? [] : [""]),
    ...(toCheck.length === 0
      ? []
      : [
          "Check these before you approve:",
          ...toCheck.flatMap((risk) => describeRisk(risk, moreWith)),
          "",
        ]),
  ];
}

/** All sources are listed, unless a command is given that lists them. */
const shownAtOnce = 3;

function describeRisk(
  { value, why, from, found = true, notes }: Risk,
  moreWith: string | undefined,
): string[] {
  const sources = [...new Set(from.map(describeSource))];
  const shown = moreWith === undefined ? sources : sources.slice(0, shownAtOnce);
  const hidden = sources.length - shown.length;
  return [
    `  ! "${oneLine(value)}"`,
    `    ${oneLine(describeRiskText(why), 400)}`,
    ...(shown.length === 0
      ? []
      : [
          found ? "    Found in:" : "    May have been suggested by:",
          ...shown.map((source) => `      - ${source}`),
          ...(hidden === 0 ? [] : [`      and ${hidden} more: ${moreWith}`]),
        ]),
    ...notes.map((note) => `    Note: ${oneLine(describeRiskText(note))}`),
  ];
}

function describeSource({ origin, tool, item }: RiskSource): string {
  if (item) return oneLine(describeItem(item, dayOf), 400);
  return tool === "" ? originWords[origin] : `${originWords[origin]} (${visible(toolLabel(tool))})`;
}

function dayOf(date: string): string {
  return new Date(date).toLocaleDateString("en", {
    day: "numeric",
    month: "short",
    year: "numeric",
  });
}

/** The changes that the owner's edit made. */
export function describeDiff(diff: readonly FieldDiff[]): string[] {
  if (diff.length === 0) return [];
  return [
    "Your changes:",
    ...diff.flatMap(({ field, before, after }) => [
      `  ${visible(field)}`,
      `    - ${indent(before, 6)}`,
      `    + ${indent(after, 6)}`,
    ]),
    "",
  ];
}
