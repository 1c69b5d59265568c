import type { ToolOutcome } from "../planner/tool-outcome.ts";
import type { JsonObject } from "../wire.ts";

/** A call that a flow needs before it can continue. */
export interface WantedCall<Role extends string> {
  readonly role: Role;
  readonly args: JsonObject;
  /** Names this call in the model's thought, for example by subject or channel. */
  readonly detail: string;
}

/** `missing` means that the request offered no tool for this call. */
export type CallOutcome = ToolOutcome | { readonly status: "missing" };

/**
 * A task as a generator that yields one call at a time and receives its outcome. Every request runs
 * it again over all results so far, so it must depend on nothing but those results.
 */
export type Flow<Role extends string, Result = void> = Generator<
  WantedCall<Role>,
  Result,
  CallOutcome
>;

/** Collects the lines of the final message while a flow runs. */
export interface Report {
  add(...lines: readonly string[]): void;
  text(): string;
}

export function createReport(): Report {
  const lines: string[] = [];
  return { add: (...more) => void lines.push(...more), text: () => lines.join("\n") };
}

/** The texts about tool calls in one language. */
export interface CallWords<Role extends string> {
  /** What each tool does, in the infinitive. */
  readonly doing: Readonly<Record<Role, string>>;
  next(what: string, detail: string): string;
  readonly finished: string;
  failed(what: string, message: string): string;
  /** `reason` may be empty. */
  denied(what: string, reason: string): string;
  unknown(what: string, message: string): string;
  notReached(what: string): string;
  noTool(what: string, name: string): string;
}

type Trouble = Exclude<CallOutcome, { status: "done" }>;

/** Explains why a call had no result. `toolName` is the usual name of the missing tool. */
export function explainTrouble<Role extends string>(
  {
    role,
    toolName,
    outcome,
  }: { readonly role: Role; readonly toolName: string; readonly outcome: Trouble },
  words: CallWords<Role>,
): string {
  if (outcome.status === "missing") return words.noTool(words.doing[role], toolName);
  const what = words.doing[role];
  if (outcome.status === "denied" && !isBlockedByRule(outcome.message))
    return words.denied(what, ownersReason(outcome.message));
  return words[outcome.status === "unknown" ? "unknown" : "failed"](
    what,
    asSentence(outcome.message),
  );
}

/** A rule can deny an effect without asking the owner, so the owner did not decline it. */
export function isBlockedByRule(message: string): boolean {
  return /\brules?\b/i.test(message);
}

/** The reason that the owner gave, or another cause such as an expired approval; may be empty. */
export function ownersReason(message: string): string {
  const reason = message.replace(/^The user declined(?:: |\.?$)/, "").trim();
  return reason === "" ? "" : asSentence(reason);
}

function asSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
