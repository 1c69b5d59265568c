import { visible, type ApprovalView, type FieldDiff, type Origin, type Risk } from "@bron/protocol";
import { indent, oneLine } from "./visible.ts";

const places: Readonly<Record<Origin, string>> = {
  user: "your request",
  system: "Bron",
  mail: "an email",
  document: "a document",
  calendar: "your calendar",
  slack: "Slack",
  web: "a web page",
  page: "the page you had open",
  attached: "a file attached to the task",
  thread: "an earlier answer in this conversation",
  memory: "memory",
  child: "a child run",
  tool: "a tool's result",
};

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
    tool === "" ? places[origin] : `${places[origin]} (${visible(tool)})`,
  );
  return [
    `  ! "${oneLine(value)}"`,
    `    ${oneLine(why, 400)}`,
    ...(seen.length === 0 ? [] : [`    Found in: ${[...new Set(seen)].join(", ")}`]),
    ...notes.map((note) => `    Note: ${oneLine(note)}`),
  ];
}

/** The changes that the owner's edit made. */
export function describeDiff(difference: readonly FieldDiff[]): string[] {
  if (difference.length === 0) return [];
  return [
    "Your changes:",
    ...difference.flatMap(({ field, before, after }) => [
      `  ${visible(field)}`,
      `    - ${indent(before, 6)}`,
      `    + ${indent(after, 6)}`,
    ]),
    "",
  ];
}
