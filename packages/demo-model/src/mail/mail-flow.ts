import {
  explainTrouble,
  type CallOutcome,
  type Flow,
  type Report,
  type WantedCall,
} from "../flow/flow.ts";
import { toolName, type MailToolRole } from "./offered-mail-tools.ts";
import type { MailWords } from "./words/mail-words-shape.ts";

/** A mail task as a sequence of calls. */
export type MailFlow<Result = void> = Flow<MailToolRole, Result>;

/** Makes a call. Reports a failure and returns undefined. */
export function* call(
  wanted: WantedCall<MailToolRole>,
  report: Report,
  words: MailWords,
): MailFlow<{ readonly value: unknown } | undefined> {
  const outcome = yield wanted;
  if (outcome.status === "done") return { value: outcome.value };
  report.add(explain(wanted.role, outcome, words));
  return undefined;
}

export function explain(
  role: MailToolRole,
  outcome: Exclude<CallOutcome, { status: "done" }>,
  words: MailWords,
): string {
  return explainTrouble({ role, toolName: toolName(role), outcome }, words);
}
