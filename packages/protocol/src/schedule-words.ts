import type { ScheduleReason, ScheduleView, Timing, SkipReason } from "./schedule.ts";
import { maxScheduleFailures } from "./schedule.ts";

const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** A timing in words: "Every weekday at 08:00". Unusual cron expressions are quoted. */
export function describeTiming({ kind, expression }: Pick<Timing, "kind" | "expression">): string {
  if (kind === "once") return `Once, on ${expression.replace("T", " at ")}`;
  if (kind === "interval") return `Every ${spanWords(expression)}`;
  return cronWords(expression) ?? `On the cron schedule ${expression}`;
}

const units: Readonly<Record<string, string>> = { m: "minute", h: "hour", d: "day" };

function spanWords(expression: string): string {
  const count = Number.parseInt(expression, 10);
  const unit = units[expression.trim().at(-1) ?? ""] ?? expression;
  return count === 1 ? unit : `${count} ${unit}s`;
}

function cronWords(expression: string): string | undefined {
  const [minute = "", hour = "", day = "", month = "", weekday = "", ...rest] = expression
    .trim()
    .split(/ +/u);
  if (rest.length > 0 || month !== "*" || !isNumber(minute)) return undefined;
  const minutes = minute.padStart(2, "0");
  if (hour === "*")
    return day === "*" && weekday === "*" ? `Every hour, ${minute} minutes past` : undefined;
  if (!isNumber(hour)) return undefined;
  const at = `at ${hour.padStart(2, "0")}:${minutes}`;
  if (weekday === "*" && day === "*") return `Every day ${at}`;
  if (weekday === "*") return isNumber(day) ? `On day ${day} of every month ${at}` : undefined;
  if (day !== "*") return undefined;
  if (weekday === "1-5") return `Every weekday ${at}`;
  const days = weekday.split(",");
  const names = days.map((one) => (isNumber(one) ? weekdays[Number(one) % 7] : undefined));
  if (names.includes(undefined)) return undefined;
  return `Every ${names.join(", ")} ${at}`;
}

const isNumber = (text: string) => /^\d+$/u.test(text);

const reasons: Readonly<Record<ScheduleReason, string>> = {
  owner: "you paused it",
  failures: `${maxScheduleFailures} tasks in a row failed`,
  bron_archived: "its Bron is archived",
  account_lost: "Bron can't read the account",
  end_date: "its end date has passed",
  done: "it has run",
  missed: "its time passed while Bron was not running",
};

/** The state of a schedule in a few words. */
export function scheduleStateText({
  state,
  reason,
}: Pick<ScheduleView, "state" | "reason">): string {
  if (state === "active") return "Active";
  const word = state === "paused" ? "Paused" : "Ended";
  return reason === null ? word : `${word}: ${reasons[reason]}`;
}

const skips: Readonly<Record<SkipReason, string>> = {
  missed: "Bron was not running",
  overlap: "the last task was still under way",
  budget: "your budget was spent",
};

/** Why a due time started no task. */
export function skipText(reason: SkipReason): string {
  return skips[reason];
}
