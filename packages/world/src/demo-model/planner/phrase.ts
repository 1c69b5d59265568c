import { describeStep, isOperation } from "./describe-step.ts";
import type { OfferedTools, ToolKind } from "./offered-tools.ts";
import type { Plan, StepReport } from "./plan.ts";
import { listTitles } from "./result-text.ts";
import type { PlannedStep } from "./step.ts";

/** The final answer: one line per step, each saying only what its result says. */
export function phraseMessage(
  { reports }: Plan,
  tools: OfferedTools,
  furtherAbilities: readonly string[] = [],
): string {
  if (reports.length === 0) return `Hello. ${introduce(tools, furtherAbilities)}`;
  const lines = reports.map(phraseReport);
  const needsHelp = reports.some(({ status }) => status === "unclear" || status === "no_tool");
  return [...lines, ...(needsHelp ? [introduce(tools, furtherAbilities)] : [])].join("\n");
}

function phraseReport(report: StepReport): string {
  switch (report.status) {
    case "done":
      return phraseDone(report);
    case "failed":
      return sentence(`I could not ${describeStep(report.step)}: ${report.message}`);
    case "denied":
      return sentence(
        `I did not ${describeStep(report.step)}, because it was not allowed: ${report.message}`,
      );
    case "unknown":
      return `${sentence(`I tried to ${describeStep(report.step)}, but it is unknown whether that happened: ${report.message}`)} Please check before it is done again.`;
    case "skipped":
      return sentence(`I did not ${describeStep(report.step)}, because ${report.because}`);
    case "pending":
      return sentence(`I did not get to this: ${describeStep(report.step)}`);
    case "no_tool":
      return sentence(`I cannot ${describeStep(report.step)}: I was given no tool for it`);
    case "unclear":
      return report.step.reason === undefined
        ? `I do not know how to do this: "${report.step.words}".`
        : `I could not do this: "${report.step.words}". ${report.step.reason}`;
  }
}

/** Says what was really called, which an approval may have changed, not what was planned. */
function phraseDone({ step, value, text, args }: Extract<StepReport, { status: "done" }>): string {
  switch (step.kind) {
    case "calculate":
      return `${isOperation(step.words) ? String(args["expression"]) : step.words} = ${text}`;
    case "clock":
      return step.place === undefined
        ? `The time is ${text}`
        : `In ${step.place.name} it is ${text}`;
    case "write":
      return `I wrote the note "${String(args["title"])}": ${String(args["text"])}`;
    case "list": {
      const titles = listTitles(value);
      return titles.length === 0
        ? "You have no notes."
        : `You have ${titles.length === 1 ? "one note" : `${titles.length} notes`}: ${titles.join(", ")}`;
    }
    case "read":
      return `Your note "${String(args["title"])}" says: ${text}`;
    case "post":
      return `I posted "${String(args["text"])}" to the ${String(args["board"])} board.`;
  }
}

const abilities: Readonly<Record<ToolKind, string>> = {
  calculate: "do arithmetic",
  clock: "tell the time anywhere",
  write: "write notes",
  list: "list your notes",
  read: "read a note",
  post: "post to a board",
};

/** What this model is, and what it can do with the tools here. */
export function introduce(tools: OfferedTools, furtherAbilities: readonly string[]): string {
  const able = [
    ...(Object.keys(abilities) as ToolKind[])
      .filter((kind) => tools[kind] !== undefined)
      .map((kind) => abilities[kind]),
    ...furtherAbilities,
  ];
  const can =
    able.length === 0
      ? "here I was given no tool that I know"
      : `with the tools here I can ${able.join(", ")}, also several of these in a row`;
  return `I am the scripted demo model, not a language model: ${can}. For anything else set GEMINI_API_KEY or ANTHROPIC_API_KEY and start Bron again.`;
}

/** What is shown as thinking: the plan, and what comes next in it. */
export function phraseThought(steps: readonly PlannedStep[], { reports, calls }: Plan): string {
  const list = steps.map(({ step }) => describeStep(step)).join("; ");
  const next = reports
    .flatMap(({ status, step }) => (status === "pending" ? [describeStep(step)] : []))
    .slice(0, calls.length);
  if (steps.length === 0) return "This is a greeting.";
  return `The task: ${list}. ${next.length > 0 ? `Next: ${next.join("; ")}.` : "Nothing is left to call, so I report what came back."}`;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
