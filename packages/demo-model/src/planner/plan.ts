import type { ToolResult } from "../conversation.ts";
import type { JsonObject } from "../wire.ts";
import { dropNeedlessBrackets } from "./arithmetic.ts";
import { describeStep } from "./describe-step.ts";
import type { OfferedTools, ToolKind } from "./offered-tools.ts";
import { allMark, fillReferences, hasReference } from "./reference.ts";
import { plainNumber, resultText } from "./result-text.ts";
import { yieldsValue, type PlannedStep, type Step } from "./step.ts";
import { readOutcome } from "./tool-outcome.ts";

export interface PlannedCall {
  readonly name: string;
  readonly args: JsonObject;
}

export type ToolStep = Exclude<Step, { kind: "unclear" }>;

/** The state of a step, taken from the results of its calls. */
export type StepReport =
  | {
      readonly status: "done";
      readonly step: ToolStep;
      readonly value: unknown;
      readonly text: string;
      readonly args: JsonObject;
    }
  | {
      readonly status: "failed" | "denied" | "unknown";
      readonly step: ToolStep;
      readonly message: string;
    }
  | { readonly status: "skipped"; readonly step: ToolStep; readonly because: string }
  | { readonly status: "pending" | "no_tool"; readonly step: ToolStep }
  | { readonly status: "unclear"; readonly step: Extract<Step, { kind: "unclear" }> };

export interface Plan {
  readonly reports: readonly StepReport[];
  /** The calls to make now. Empty when all steps are finished. */
  readonly calls: readonly PlannedCall[];
}

interface PlanInput {
  readonly steps: readonly PlannedStep[];
  readonly results: readonly ToolResult[];
  readonly tools: OfferedTools;
  /** The result of the previous task, if it had one. */
  readonly earlierValue?: string;
}

/**
 * Replays the task against the results so far. Every step takes the next result of its tool,
 * including failures and denials, so such a call is never repeated. Steps that only read may run
 * together. A step that changes something runs alone and in its order.
 */
export function makePlan({ steps, results, tools, earlierValue }: PlanInput): Plan {
  const reports: StepReport[] = [];
  const calls: PlannedCall[] = [];
  let taken = 0;
  let isBlocked = false;

  for (const [index, { step }] of steps.entries()) {
    if (step.kind === "unclear") {
      reports.push({ status: "unclear", step });
      continue;
    }
    const tool = tools[step.kind];
    if (
      tool === undefined ||
      (step.kind === "clock" && step.place !== undefined && !tool.parameters.includes("timezone"))
    ) {
      reports.push({ status: "no_tool", step });
      continue;
    }
    const prepared = prepare(step, referred(steps, reports, index), earlierValue);
    if ("because" in prepared) {
      reports.push({ status: "skipped", step, because: prepared.because });
      continue;
    }
    const at =
      "args" in prepared
        ? results.findIndex(({ name }, position) => position >= taken && name === tool.name)
        : -1;
    const result = results[at];
    if ("args" in prepared && result !== undefined) {
      taken = at + 1;
      reports.push(report(step, result));
      continue;
    }
    reports.push({ status: "pending", step });
    const changes = step.kind === "write" || step.kind === "post";
    if (isBlocked || !("args" in prepared) || (changes && calls.length > 0)) {
      isBlocked = true;
      continue;
    }
    calls.push({ name: tool.name, args: prepared.args });
    isBlocked = changes;
  }
  return { reports, calls };
}

function report(step: ToolStep, { response, args }: ToolResult): StepReport {
  const outcome = readOutcome(step.kind, response);
  if (outcome.status !== "done") return { status: outcome.status, step, message: outcome.message };
  const text = step.kind === "write" ? String(args["text"]) : resultText(step.kind, outcome.value);
  return { status: "done", step, value: outcome.value, text, args };
}

interface Referred {
  /** The reports of the clause that "it" refers to. */
  readonly previous: readonly StepReport[];
  readonly all: readonly StepReport[];
}

/**
 * Counts clauses that were not understood: "find a hotel, then save it" must not save an older
 * result.
 */
function referred(
  steps: readonly PlannedStep[],
  reports: readonly StepReport[],
  index: number,
): Referred {
  const isNumeric = steps[index]?.step.kind === "calculate";
  const before = steps.slice(0, index).flatMap(({ step, clause }, at) => {
    const known = reports[at];
    const counts = yieldsValue(step) && !(isNumeric && step.kind === "write");
    return known !== undefined && (counts || step.kind === "unclear") ? [{ clause, known }] : [];
  });
  const last = before.at(-1)?.clause;
  return {
    previous: before.filter(({ clause }) => clause === last).map(({ known }) => known),
    all: before.map(({ known }) => known),
  };
}

type Prepared =
  | { readonly args: JsonObject }
  | { readonly because: string }
  | { readonly waits: true };

function prepare(
  step: ToolStep,
  { previous, all }: Referred,
  earlierValue: string | undefined,
): Prepared {
  const own =
    step.kind === "calculate"
      ? step.expression
      : step.kind === "write" || step.kind === "post"
        ? step.text
        : "";
  if (!hasReference(own)) return { args: argumentsOf(step, own) };

  const needed = own.includes(allMark) ? all : previous;
  const missing = needed.find(({ status }) => status !== "done" && status !== "pending");
  if (missing !== undefined)
    return { because: `it needs the result of another step: ${describeStep(missing.step)}` };
  if (needed.some(({ status }) => status === "pending")) return { waits: true };

  const previousText = needed.length === 0 ? earlierValue : joinValues(previous);
  if (previousText === undefined) return { because: "there is no earlier result to use" };
  if (step.kind !== "calculate")
    return {
      args: argumentsOf(
        step,
        fillReferences(own, previousText, needed.length === 0 ? previousText : joinValues(all)),
      ),
    };
  const number = plainNumber(previousText);
  return number === undefined
    ? { because: `"${previousText}" is not a number to calculate with` }
    : { args: argumentsOf(step, dropNeedlessBrackets(fillReferences(own, number, number))) };
}

function joinValues(reports: readonly StepReport[]): string {
  const done = reports.filter((known) => known.status === "done");
  const [first] = done;
  return done.length === 1 && first !== undefined
    ? first.text
    : done.map(({ step, text }) => `${valueLabel(step)}: ${text}`).join("; ");
}

function valueLabel(step: ToolStep): string {
  switch (step.kind) {
    case "calculate":
      return step.words;
    case "clock":
      return step.place?.name ?? "here";
    case "read":
    case "write":
      return step.title;
    case "list":
      return "notes";
    case "post":
      return step.board;
  }
}

function argumentsOf(step: ToolStep, text: string): JsonObject {
  switch (step.kind) {
    case "calculate":
      return { expression: text };
    case "clock":
      return step.place === undefined ? {} : { timezone: step.place.timezone };
    case "write":
      return { title: step.title, text };
    case "list":
      return {};
    case "read":
      return { title: step.title };
    case "post":
      return { board: step.board, text };
  }
}

/** The last result of earlier tasks, which a new task may call "it". */
export function findEarlierValue(
  results: readonly ToolResult[],
  tools: OfferedTools,
): string | undefined {
  for (const result of results.toReversed()) {
    const kind = (
      ["calculate", "clock", "read", "list"] as const satisfies readonly ToolKind[]
    ).find((candidate) => tools[candidate]?.name === result.name);
    if (kind === undefined) continue;
    const outcome = readOutcome(kind, result.response);
    if (outcome.status === "done") return resultText(kind, outcome.value);
  }
  return undefined;
}
