import {
  explainTrouble,
  type CallOutcome,
  type Flow,
  type Report,
  type WantedCall,
} from "../flow/flow.ts";
import { toolName, type MailToolRole } from "./offered-mail-tools.ts";
import type { MailWords } from "./words/mail-words-shape.ts";

/** A task about mail, one call at a time. */
export type MailFlow<Result = void> = Flow<MailToolRole, Result>;

/** Makes a call, and undefined when it came to nothing, which is then said. */
export function* call(
  wanted: WantedCall<MailToolRole>,
  report: Report,
  words: MailWords,
): MailFlow<{ readonly value: unknown } | undefined> {
  const outcome = yield wanted;
  if (outcome.status === "done") return { value: outcome.value };
  report.say(explain(wanted.role, outcome, words));
  return undefined;
}

export function explain(
  role: MailToolRole,
  outcome: Exclude<CallOutcome, { status: "done" }>,
  words: MailWords,
): string {
  return explainTrouble({ role, toolName: toolName(role), outcome }, words);
}
