import { BronError } from "@bron/core";
import { partsOf, type RuleParts } from "./rule-parts.ts";
import { readUntil, writeUntil } from "./rule-until.ts";
import type { EventTime } from "./event-time.ts";
import { checkStart } from "./series-dates.ts";

const upTo = (most: number) => (value: string) =>
  /^[1-9]\d{0,3}$/.test(value) && Number(value) <= most;
const list = (isOne: (value: string) => boolean) => (value: string) =>
  value.split(",").every(isOne);
const signed = (isOne: (value: string) => boolean) => (value: string) =>
  isOne(value.replace(/^[+-]/, ""));
const day = /^(?:MO|TU|WE|TH|FR|SA|SU)$/;

const checks: Readonly<Record<string, (value: string) => boolean>> = {
  FREQ: (value) => /^(?:DAILY|WEEKLY|MONTHLY|YEARLY)$/.test(value),
  INTERVAL: upTo(999),
  COUNT: upTo(9_999),
  UNTIL: (value) => /^\d{8}(?:T\d{6}Z?)?$/.test(value),
  BYDAY: list((value) => day.test(value.replace(/^[+-]?[1-9]\d?(?=[A-Z])/, ""))),
  BYMONTHDAY: list(signed(upTo(31))),
  BYMONTH: list(upTo(12)),
  BYSETPOS: list(signed(upTo(366))),
  WKST: (value) => day.test(value),
};

/**
 * Parses one RFC 5545 rule, with or without "RRULE:", for a series that starts at `start`. Rewrites
 * UNTIL so that all calendars read it the same way. Throws invalid_arguments.
 */
export function readRule(text: string, start: EventTime): string {
  const refuse = (why: string): never => {
    throw new BronError(
      "invalid_arguments",
      `recurrence: ${JSON.stringify(text)} ${why}. Use a rule such as RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=10.`,
    );
  };
  const parts = partsOf(text);
  if (!parts) return refuse("is not a rule, or repeats a part");
  if (!parts.has("FREQ")) refuse("must include FREQ=DAILY, WEEKLY, MONTHLY or YEARLY");
  for (const [name, value] of parts)
    if (checks[name]?.(value) !== true)
      refuse(`has ${JSON.stringify(`${name}=${value}`)}, which is not supported`);
  if (parts.has("COUNT") && parts.has("UNTIL")) refuse("has both COUNT and UNTIL");
  if (/\d/.test(parts.get("BYDAY") ?? "") && !/^(?:MONTHLY|YEARLY)$/.test(parts.get("FREQ") ?? ""))
    refuse("numbers weekdays, which only MONTHLY and YEARLY allow");
  const rule = write(withExactEnd(parts, start, refuse));
  checkStart(rule, start);
  return rule;
}

function withExactEnd(
  parts: RuleParts,
  start: EventTime,
  refuse: (why: string) => never,
): RuleParts {
  const text = parts.get("UNTIL");
  if (text === undefined) return parts;
  if ("date" in start && text.includes("T"))
    refuse("ends at a time, but this is an all-day event: use a day for UNTIL, such as 20270512");
  const until = readUntil(text, start) ?? refuse("has an invalid date in UNTIL");
  return new Map([...parts, ["UNTIL", writeUntil(until)]]);
}

function write(parts: RuleParts): string {
  return `RRULE:${[...parts].map(([name, value]) => `${name}=${value}`).join(";")}`;
}
