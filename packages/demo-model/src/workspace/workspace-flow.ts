import { omitUndefined } from "@bron/protocol";
import type { Temporal } from "temporal-polyfill";
import { explainTrouble, type Flow, type Report, type WantedCall } from "../flow/flow.ts";
import type { Language } from "../mail/language.ts";
import { wordsIn } from "../mail/mail-words.ts";
import { text } from "../mail/mail-results.ts";
import { writeEmail } from "../mail/write-flow.ts";
import {
  isRelative,
  resolveDays,
  type DaySpan,
  type DayWish,
  type YearChoice,
} from "../when/day-wish.ts";
import { dayOfTime } from "../when/say-when.ts";
import type { EmailRequest } from "./take-email-request.ts";
import { nameOfTool, type WorkspaceRole } from "./workspace-tools.ts";
import type { WorkspaceWords } from "./workspace-words.ts";

export type WorkspaceFlow<Result = void> = Flow<WorkspaceRole, Result>;

/** Shared context of all flows. */
export interface FlowContext {
  readonly report: Report;
  readonly words: WorkspaceWords;
  readonly language: Language;
  /** Set if the request itself names today's date. */
  readonly today: Temporal.PlainDate | undefined;
}

/** Makes a call. Reports a failure and returns undefined. */
export function* call(
  wanted: WantedCall<WorkspaceRole>,
  { report, words }: FlowContext,
): WorkspaceFlow<{ readonly value: unknown } | undefined> {
  const outcome = yield wanted;
  if (outcome.status === "done" && !isCut(outcome.value)) return { value: outcome.value };
  report.add(
    outcome.status === "done"
      ? words.tooLong
      : explainTrouble({ role: wanted.role, toolName: nameOfTool(wanted.role), outcome }, words),
  );
  return undefined;
}

/** A truncated JSON result. Reading what is left of it would look like a complete result. */
function isCut(value: unknown): boolean {
  return typeof value === "string" && /^\s*[[{]/.test(value);
}

/**
 * Makes a call that changes something. Reports a failure, and that nothing was done unless the
 * outcome is unknown.
 */
export function* change(
  wanted: WantedCall<WorkspaceRole>,
  nothingDone: string,
  { report, words }: FlowContext,
): WorkspaceFlow<{ readonly value: unknown } | undefined> {
  const outcome = yield wanted;
  if (outcome.status === "done") return { value: outcome.value };
  report.add(
    explainTrouble({ role: wanted.role, toolName: nameOfTool(wanted.role), outcome }, words),
    ...(outcome.status === "unknown" ? [] : [nothingDone]),
  );
  return undefined;
}

/**
 * Finds today's date in the request, else with the clock tool, else from the calendar, whose
 * default range starts today.
 */
export function* learnToday({
  report,
  words,
  today,
}: FlowContext): WorkspaceFlow<Temporal.PlainDate | undefined> {
  if (today !== undefined) return today;
  for (const { role, field } of [
    { role: "clock", field: "iso" },
    { role: "events", field: "from" },
  ] as const) {
    const outcome = yield { role, args: {}, detail: "" };
    const day = outcome.status === "done" ? dayOfTime(text(outcome.value, field)) : undefined;
    if (day !== undefined) return day;
  }
  report.add(words.noToday);
  return undefined;
}

export interface FoundDays extends DaySpan {
  /** Undefined when it was not needed. */
  readonly today?: Temporal.PlainDate;
}

/** Resolves the days. Reports and returns undefined if that is not possible. */
export function* findDays(
  wish: DayWish,
  context: FlowContext,
  choice?: YearChoice,
): WorkspaceFlow<FoundDays | undefined> {
  const today = isRelative(wish) ? yield* learnToday(context) : context.today;
  if (today === undefined && isRelative(wish)) return undefined;
  const anchor = today ?? resolvable(wish);
  const span = anchor && resolveDays(wish, anchor, choice);
  if (span === undefined) context.report.add(context.words.noSuchDay);
  return span && { ...span, ...omitUndefined({ today }) };
}

/** Days that do not depend on today can be resolved from any day of their own year. */
function resolvable(wish: DayWish): Temporal.PlainDate | undefined {
  const first = wish.kind === "span" ? wish.first : wish;
  const year = first.kind === "date" || first.kind === "namedMonth" ? first.year : undefined;
  return year === undefined ? undefined : dayOfTime(`${String(year).padStart(4, "0")}-01-01`);
}

/** Sends or drafts the result if the task asks for it. */
export function* emailResult(
  { subject, lines }: { readonly subject: string; readonly lines: readonly string[] },
  emailRequest: EmailRequest,
  { report, language }: FlowContext,
): WorkspaceFlow {
  if (emailRequest.outcome === "nothing") return;
  const words = wordsIn(language);
  yield* writeEmail(
    {
      recipients: emailRequest.recipients,
      subject: emailRequest.subject ?? subject,
      bodyText: `${[...lines, "", words.bodyEnd].join("\n")}\n`,
    },
    emailRequest.outcome,
    { report, words },
  );
}
