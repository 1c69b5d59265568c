import { visible, type ApprovalView, type FieldDiff, type Origin, type Risk } from "@bron/protocol";
import { indent, oneLine } from "./visible.ts";

const places: Readonly<Record<Origin, string>> = {
  user: "your own words",
  system: "Bron itself",
  mail: "a mail",
  document: "a document",
  calendar: "your calendar",
  slack: "Slack",
  web: "a web page",
  page: "the page that you had open",
  attached: "what was attached to the task",
  thread: "an earlier answer in this conversation",
  memory: "memory",
  child: "a part of the task",
  tool: "a tool's result",
};

/** What others may have chosen, with where it was seen. Their text is quoted, so that it cannot pose as ours. */
export function describeRisks(risks: ApprovalView["risks"]): string[] {
  if (risks.length === 0) return [];
  return ["What others may have chosen:", ...risks.flatMap(describeRisk), ""];
}

function describeRisk({ value, why, from, notes }: Risk): string[] {
  const seen = from.map(({ origin, tool }) =>
    tool === "" ? places[origin] : `${places[origin]} (${visible(tool)})`,
  );
  return [
    `  ! "${oneLine(value)}"`,
    `    ${oneLine(why, 400)}`,
    ...(seen.length === 0 ? [] : [`    Seen in: ${[...new Set(seen)].join(", ")}`]),
    ...notes.map((note) => `    Note: ${oneLine(note)}`),
  ];
}

/** What the owner's own edit changed. */
export function describeDiff(difference: readonly FieldDiff[]): string[] {
  if (difference.length === 0) return [];
  return [
    "What you changed:",
    ...difference.flatMap(({ field, before, after }) => [
      `  ${visible(field)}`,
      `    - ${indent(before, 6)}`,
      `    + ${indent(after, 6)}`,
    ]),
    "",
  ];
}
