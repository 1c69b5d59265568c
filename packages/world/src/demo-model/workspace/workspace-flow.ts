import { omitUndefined } from "@bron/protocol";
import type { Temporal } from "temporal-polyfill";
import { explainTrouble, type Flow, type Report, type WantedCall } from "../flow/flow.ts";
import type { Language } from "../mail/language.ts";
import { wordsIn } from "../mail/mail-words.ts";
import { text } from "../mail/mail-results.ts";
import { writeLetter } from "../mail/write-flow.ts";
import {
  isRelative,
  resolveDays,
  type DaySpan,
  type DayWish,
  type YearChoice,
} from "../when/day-wish.ts";
import { dayOfTime } from "../when/say-when.ts";
import type { Letter } from "./take-letter.ts";
import { nameOfTool, type WorkspaceRole } from "./workspace-tools.ts";
import type { WorkspaceWords } from "./workspace-words.ts";

export type WorkspaceFlow<Result = void> = Flow<WorkspaceRole, Result>;

/** What every flow has at hand. */
export interface Say {
  readonly report: Report;
  readonly words: WorkspaceWords;
  readonly language: Language;
  /** If the request itself says it. */
  readonly today: Temporal.PlainDate | undefined;
}

/** Makes a call, and undefined when it came to nothing, which is then said. */
export function* call(
  wanted: WantedCall<WorkspaceRole>,
  { report, words }: Say,
): WorkspaceFlow<{ readonly value: unknown } | undefined> {
  const outcome = yield wanted;
  if (outcome.status === "done" && !isCut(outcome.value)) return { value: outcome.value };
  report.say(
    outcome.status === "done"
      ? words.tooLong
      : explainTrouble({ role: wanted.role, toolName: nameOfTool(wanted.role), outcome }, words),
  );
  return undefined;
}

/** Half of an answer's JSON: what can be made out of it would pass for all of it. */
function isCut(value: unknown): boolean {
  return typeof value === "string" && /^\s*[[{]/.test(value);
}

/** Makes a call that changes something. What came to nothing is said, and that nothing was done, unless nobody knows. */
export function* change(
  wanted: WantedCall<WorkspaceRole>,
  nothingDone: string,
  { report, words }: Say,
): WorkspaceFlow<{ readonly value: unknown } | undefined> {
  const outcome = yield wanted;
  if (outcome.status === "done") return { value: outcome.value };
  report.say(
    explainTrouble({ role: wanted.role, toolName: nameOfTool(wanted.role), outcome }, words),
    ...(outcome.status === "unknown" ? [] : [nothingDone]),
  );
  return undefined;
}

/** Today, from the request, else from a clock, else from the calendar, which begins with today unless told otherwise. */
export function* learnToday({
  report,
  words,
  today,
}: Say): WorkspaceFlow<Temporal.PlainDate | undefined> {
  if (today !== undefined) return today;
  for (const { role, field } of [
    { role: "clock", field: "iso" },
    { role: "events", field: "from" },
  ] as const) {
    const outcome = yield { role, args: {}, detail: "" };
    const day = outcome.status === "done" ? dayOfTime(text(outcome.value, field)) : undefined;
    if (day !== undefined) return day;
  }
  report.say(words.noToday);
  return undefined;
}

export interface FoundDays extends DaySpan {
  /** Undefined when nobody had to know it. */
  readonly today?: Temporal.PlainDate;
}

/** The days that are meant; undefined when that cannot be told, which is then said. */
export function* findDays(
  wish: DayWish,
  say: Say,
  choice?: YearChoice,
): WorkspaceFlow<FoundDays | undefined> {
  const today = isRelative(wish) ? yield* learnToday(say) : say.today;
  if (today === undefined && isRelative(wish)) return undefined;
  const anchor = today ?? resolvable(wish);
  const span = anchor && resolveDays(wish, anchor, choice);
  if (span === undefined) say.report.say(say.words.noSuchDay);
  return span && { ...span, ...omitUndefined({ today }) };
}

/** A wish that does not depend on today may be resolved from any day; its own year will do. */
function resolvable(wish: DayWish): Temporal.PlainDate | undefined {
  const first = wish.kind === "span" ? wish.first : wish;
  const year = first.kind === "date" || first.kind === "namedMonth" ? first.year : undefined;
  return year === undefined ? undefined : dayOfTime(`${String(year).padStart(4, "0")}-01-01`);
}

/** Sends what was found out, or drafts it, if that was asked for. */
export function* writeUp(
  { subject, lines }: { readonly subject: string; readonly lines: readonly string[] },
  letter: Letter,
  { report, language }: Say,
): WorkspaceFlow {
  if (letter.outcome === "nothing") return;
  const words = wordsIn(language);
  yield* writeLetter(
    {
      recipients: letter.recipients,
      subject: letter.subject ?? subject,
      bodyText: `${[...lines, "", words.bodyEnd].join("\n")}\n`,
    },
    letter.outcome,
    { report, words },
  );
}
