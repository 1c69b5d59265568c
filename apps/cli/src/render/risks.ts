import {
  describeRisk as describeRiskText,
  originWords,
  visible,
  type ApprovalView,
  type FieldDiff,
  type Risk,
} from "@bron/protocol";
import { indent, oneLine } from "./visible.ts";

/**
 * Lists values that may come from untrusted content, and where they were found. Quotes their text,
 * so that it cannot pass for Bron's own output.
 */
export function describeRisks(risks: ApprovalView["risks"]): string[] {
  if (risks.length === 0) return [];
  return ["Check these before you approve:", ...risks.flatMap(describeRisk), ""];
}

function describeRisk({ value, why, from, notes }: Risk): string[] {
  const seen = from.map(({ origin, tool }) =>
    tool === "" ? originWords[origin] : `${originWords[origin]} (${visible(tool)})`,
  );
  return [
    `  ! "${oneLine(value)}"`,
    `    ${oneLine(describeRiskText(why), 400)}`,
    ...(seen.length === 0 ? [] : [`    Found in: ${[...new Set(seen)].join(", ")}`]),
    ...notes.map((note) => `    Note: ${oneLine(describeRiskText(note))}`),
  ];
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
