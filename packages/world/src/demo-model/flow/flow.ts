import type { ToolOutcome } from "../planner/tool-outcome.ts";
import type { JsonObject } from "../wire.ts";

/** A call that a flow wants made before it goes on. */
export interface WantedCall<Role extends string> {
  readonly role: Role;
  readonly args: JsonObject;
  /** What is special about it, for the thought. */
  readonly detail: string;
}

/** `missing`: no such tool was offered. */
export type CallOutcome = ToolOutcome | { readonly status: "missing" };

/**
 * A task as a generator: it yields one call at a time and gets what came of it. It is run anew for every request, over the
 * results so far, so it may depend on nothing else.
 */
export type Flow<Role extends string, Result = void> = Generator<
  WantedCall<Role>,
  Result,
  CallOutcome
>;

/** What will be said in the end, collected on the way. */
export interface Report {
  say(...lines: readonly string[]): void;
  text(): string;
}

export function createReport(): Report {
  const lines: string[] = [];
  return { say: (...more) => void lines.push(...more), text: () => lines.join("\n") };
}

/** What is said about calls, whatever they are for, in one language. */
export interface CallWords<Role extends string> {
  /** In the infinitive: what a tool is for. */
  readonly doing: Readonly<Record<Role, string>>;
  next(what: string, detail: string): string;
  readonly finished: string;
  failed(what: string, message: string): string;
  denied(what: string, message: string): string;
  unknown(what: string, message: string): string;
  notReached(what: string): string;
  noTool(what: string, name: string): string;
}

type Trouble = Exclude<CallOutcome, { status: "done" }>;

/** Why a call came to nothing. `toolName` is what a tool for it would be called. */
export function explainTrouble<Role extends string>(
  {
    role,
    toolName,
    outcome,
  }: { readonly role: Role; readonly toolName: string; readonly outcome: Trouble },
  words: CallWords<Role>,
): string {
  if (outcome.status === "missing") return words.noTool(words.doing[role], toolName);
  return words[outcome.status](
    words.doing[role],
    /[.!?]$/.test(outcome.message) ? outcome.message : `${outcome.message}.`,
  );
}
