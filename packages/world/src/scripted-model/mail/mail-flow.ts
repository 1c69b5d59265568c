import type { JsonObject } from "../wire.ts";
import type { ToolOutcome } from "../planner/tool-outcome.ts";
import { toolName, type MailToolRole } from "./offered-mail-tools.ts";
import type { MailWords } from "./words/mail-words-shape.ts";

/** A call that a flow wants made before it goes on. */
export interface WantedCall {
  readonly role: MailToolRole;
  readonly args: JsonObject;
  /** What is special about it, for the thought. */
  readonly detail: string;
}

/** `missing`: no such tool was offered. */
export type CallOutcome = ToolOutcome | { readonly status: "missing" };

/**
 * A task about mail as a generator: it yields one call at a time and gets what came of it. It is run anew for every request, over the
 * results so far, so it may depend on nothing else.
 */
export type MailFlow<Result = void> = Generator<WantedCall, Result, CallOutcome>;

/** What will be said in the end, collected on the way. */
export interface Report {
  say(...lines: readonly string[]): void;
  text(): string;
}

export function createReport(): Report {
  const lines: string[] = [];
  return { say: (...more) => void lines.push(...more), text: () => lines.join("\n") };
}

/** Makes a call, and undefined when it came to nothing, which is then said. */
export function* call(wanted: WantedCall, report: Report, words: MailWords): MailFlow<{ readonly value: unknown } | undefined> {
  const outcome = yield wanted;
  if (outcome.status === "done") return { value: outcome.value };
  report.say(explain(wanted.role, outcome, words));
  return undefined;
}

export function explain(role: MailToolRole, outcome: Exclude<CallOutcome, { status: "done" }>, words: MailWords): string {
  if (outcome.status === "missing") return words.noTool(words.doing[role], toolName(role));
  return words[outcome.status](words.doing[role], /[.!?]$/.test(outcome.message) ? outcome.message : `${outcome.message}.`);
}
