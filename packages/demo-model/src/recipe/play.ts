import type { JsonObject } from "../wire.ts";
import type { CallStep, Given, Recipe, WantedCall } from "./recipe.ts";
import { readReply } from "../recipes/approval-reply.ts";
import { worseOutcome, type RequestOutcome } from "./request-outcome.ts";
import { isPresent } from "./slot.ts";
import { explainTrouble, type ToolOutcome, type Trouble } from "./tool-outcome.ts";

/**
 * A recipe while it runs. It yields the calls of one message and receives their outcomes. Every
 * model request plays it again over all results so far, so it depends on nothing else.
 */
export type Play = Generator<readonly WantedCall[], void, readonly ToolOutcome[]>;

/** What a play has said and found so far. */
export interface Progress {
  readonly lines: string[];
  outcome: RequestOutcome;
  /** Replies to approvals that changed what is done. */
  readonly replies: string[];
  readonly values: Record<string, unknown>;
}

type Values = Record<string, unknown> & Given;

export function* playRecipe({ steps }: Recipe, progress: Progress): Play {
  const { lines, replies } = progress;
  const values = progress.values as Values;
  const isNow = (outcome: RequestOutcome) => {
    progress.outcome = worseOutcome(progress.outcome, outcome);
  };
  let hasEffects = false;
  for (let at = 0; at < steps.length; at += 1) {
    const step = steps[at];
    if (step === undefined || (step.if !== undefined && !isPresent(step.if(values)))) continue;
    if ("set" in step) Object.assign(values, step.set(values));
    else if ("say" in step) {
      const said = linesOf(step.say, values);
      if (step.comesFirst && lines.length > 0) lines.unshift(...said, "");
      else lines.push(...said);
      const { outcome } = step;
      isNow((typeof outcome === "function" ? outcome(values) : outcome) ?? "done");
      if (step.stop) return;
    } else {
      const trouble = yield* playCall(step, values);
      if (trouble === undefined) {
        hasEffects ||= step.isEffect === true;
        continue;
      }
      const { onReply } = step;
      const changed =
        trouble.status === "replied" ? yield* readReply(onReply, trouble, values) : undefined;
      if (onReply === undefined || changed === undefined) {
        const [tool = ""] = toolOf(step, values).split("|");
        lines.push(explainTrouble(trouble, linesOf(step.doing, values).join(" "), tool));
        if (trouble.status !== "unknown") lines.push(...linesOf(step.unchanged ?? "", values));
        isNow(hasEffects || trouble.status === "unknown" ? "partly_done" : "could_not");
        return;
      }
      replies.push(trouble.message);
      if (changed.question !== undefined) {
        lines.push(changed.question, ...linesOf(step.unchanged ?? "", values));
        isNow(hasEffects ? "partly_done" : "needs_answer");
        return;
      }
      Object.assign(values, changed.values);
      lines.push(`You asked for changes, so I prepared it again: ${changed.words}`);
      // The loop adds one, so this repeats the named step.
      at = steps.findIndex(({ id }) => id === onReply.from) - 1;
    }
  }
}

function toolOf({ call }: CallStep<JsonObject>, values: Values): string {
  return typeof call === "string" ? call : call(values);
}

function linesOf(
  say: string | ((values: Values) => string | readonly string[] | undefined),
  values: Values,
): readonly string[] {
  const said = typeof say === "string" ? say : (say(values) ?? []);
  return [said].flat().filter((line) => line !== "");
}

function isOffer(outcome: ToolOutcome): boolean {
  return outcome.status === "failed" && /\bmake the same call again\b/.test(outcome.message);
}

/** Returns why there is no result, unless the step accepts that. */
function* playCall(
  step: CallStep<JsonObject>,
  values: Values,
): Generator<readonly WantedCall[], Trouble | undefined, readonly ToolOutcome[]> {
  const given = step.with?.(values) ?? {};
  const calls = (Array.isArray(given) ? (given as readonly JsonObject[]) : [given]).map(
    (args): WantedCall => ({
      tool: toolOf(step, values),
      args: Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined)),
      doing: linesOf(step.doing, values).join(" "),
    }),
  );
  const turns = step.until === undefined ? [calls] : calls.map((call) => [call]);
  for (const [index, turn] of turns.entries()) {
    const first = turn.length === 0 ? [] : yield turn;
    // Bron offers once to leave a link out of the text. The owner decides instead.
    const outcomes = first.some(isOffer) ? yield turn : first;
    const isLast = index === turns.length - 1;
    const trouble = outcomes.find((outcome) => outcome.status !== "done");
    if (trouble?.status === "failed" && !isLast) continue;
    if (trouble?.status === "replied" || (trouble && step.rescue === undefined)) return trouble;
    const results = outcomes.map((outcome) => {
      if (outcome.status !== "done") return step.rescue?.(outcome);
      return step.read === undefined ? outcome.value : step.read(outcome.value, values);
    });
    const isList = Array.isArray(given) && step.until === undefined;
    if (step.as !== undefined) values[step.as] = isList ? results : results[0];
    if (isLast || step.until?.(results[0]) !== false) return undefined;
  }
  return undefined;
}
