import { isBlockedByRule, ownersReason } from "../flow/flow.ts";
import { describeStep, isOperation } from "./describe-step.ts";
import type { OfferedTools, ToolKind } from "./offered-tools.ts";
import type { Plan, StepReport } from "./plan.ts";
import { listTitles } from "./result-text.ts";
import type { PlannedStep } from "./step.ts";

/** The final message, with one line per step that says only what the result says. */
export function phraseMessage(
  { reports }: Plan,
  tools: OfferedTools,
  otherTopics: readonly string[] = [],
): string {
  if (reports.length === 0) return `Hi! ${introduce(tools, otherTopics)}`;
  const lines = reports.map(phraseReport);
  const needsHelp = reports.some(({ status }) => status === "unclear" || status === "no_tool");
  return [...lines, ...(needsHelp ? [introduce(tools, otherTopics)] : [])].join("\n");
}

function phraseReport(report: StepReport): string {
  switch (report.status) {
    case "done":
      return phraseDone(report);
    case "failed":
      return sentence(`I couldn't ${describeStep(report.step)}: ${report.message}`);
    case "denied":
      return phraseDenied(describeStep(report.step), report.message);
    case "unknown":
      return `${sentence(`I tried to ${describeStep(report.step)}, but I couldn't confirm whether it went through: ${report.message}`)} Check before retrying.`;
    case "skipped":
      return sentence(`I didn't ${describeStep(report.step)} because ${report.because}`);
    case "pending":
      return sentence(`I didn't get to: ${describeStep(report.step)}`);
    case "no_tool":
      return sentence(
        `I can't ${describeStep(report.step)} because the tool for it isn't available`,
      );
    case "unclear":
      return report.step.reason === undefined
        ? `I can't do "${report.step.words}" in demo mode.`
        : `I can't do "${report.step.words}". ${report.step.reason}`;
  }
}

function phraseDenied(what: string, message: string): string {
  if (isBlockedByRule(message)) return sentence(`I couldn't ${what}: ${message}`);
  const reason = ownersReason(message);
  return `You didn't approve it, so I didn't ${what}${reason === "" ? "." : `: ${reason}`}`;
}

/** Reports the arguments that were really used, because the owner may have edited them. */
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

const topics: Readonly<Record<ToolKind, string>> = {
  calculate: "math",
  clock: "time zones",
  write: "notes",
  list: "notes",
  read: "notes",
  post: "boards",
};

/** Says what the demo model is and which topics it can handle with the offered tools. */
export function introduce(tools: OfferedTools, otherTopics: readonly string[]): string {
  const own = (Object.keys(topics) as ToolKind[])
    .filter((kind) => tools[kind] !== undefined)
    .map((kind) => topics[kind]);
  const all = [...new Set([...otherTopics, ...own])];
  const scope =
    all.length === 0
      ? "and none of the tools I know are available here"
      : `so I only handle a few kinds of tasks: ${new Intl.ListFormat("en-GB").format(all)}`;
  return `I'm the built-in demo model, ${scope}. For anything else, add a model key under Connections, or set GEMINI_API_KEY or ANTHROPIC_API_KEY.`;
}

/** The text that is shown as thinking: the plan and its next step. */
export function phraseThought(steps: readonly PlannedStep[], { reports, calls }: Plan): string {
  const list = steps.map(({ step }) => describeStep(step)).join("; ");
  const next = reports
    .flatMap(({ status, step }) => (status === "pending" ? [describeStep(step)] : []))
    .slice(0, calls.length);
  if (steps.length === 0) return "This is a greeting.";
  return `The task: ${list}. ${next.length > 0 ? `Next: ${next.join("; ")}.` : "There are no calls left, so I report the results."}`;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
