import { BronError } from "@bron/core";

const keys = new Set(["FREQ", "INTERVAL", "COUNT", "UNTIL", "BYDAY", "BYMONTHDAY", "BYMONTH", "BYSETPOS", "WKST"]);
const frequencies: Readonly<Record<string, string>> = { DAILY: "day", WEEKLY: "week", MONTHLY: "month", YEARLY: "year" };
const days: Readonly<Record<string, string>> = { MO: "Monday", TU: "Tuesday", WE: "Wednesday", TH: "Thursday", FR: "Friday", SA: "Saturday", SU: "Sunday" };

/** One RFC 5545 rule, with or without "RRULE:". Throws invalid_arguments. */
export function readRule(text: string): string {
  const parts = partsOf(text);
  const refuse = (why: string): never => {
    throw new BronError("invalid_arguments", `recurrence: ${JSON.stringify(text)} ${why}. Give a rule such as RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=10.`);
  };
  for (const [key, value] of parts) if (!keys.has(key) || !/^[A-Z0-9,+-]+$/.test(value)) refuse(`has ${JSON.stringify(key)}, which is not understood`);
  if (frequencies[parts.get("FREQ") ?? ""] === undefined) refuse("must say FREQ=DAILY, WEEKLY, MONTHLY or YEARLY");
  if (parts.has("COUNT") && parts.has("UNTIL")) refuse("has both COUNT and UNTIL");
  return `RRULE:${[...parts].map(([key, value]) => `${key}=${value}`).join(";")}`;
}

/** The usual rules in words; the rule itself where words would leave something out. */
export function ruleInWords(rule: string): string {
  const parts = partsOf(rule);
  const unit = frequencies[parts.get("FREQ") ?? ""];
  const rare = ["BYMONTHDAY", "BYMONTH", "BYSETPOS"].some((key) => parts.has(key));
  const byDay = parts.get("BYDAY")?.split(",").map((day) => days[day]);
  if (unit === undefined || rare || byDay?.includes(undefined) === true) return rule;
  const interval = Number(parts.get("INTERVAL") ?? 1);
  const until = parts.get("UNTIL");
  const end = parts.has("COUNT") ? `, ${parts.get("COUNT") ?? ""} times` : until === undefined ? ", without an end" : `, until ${until.slice(0, 4)}-${until.slice(4, 6)}-${until.slice(6, 8)}`;
  return `every ${interval === 1 ? unit : `${interval} ${unit}s`}${byDay ? ` on ${byDay.join(" and ")}` : ""}${end}`;
}

function partsOf(text: string): Map<string, string> {
  const pairs = text.trim().replace(/^RRULE:/i, "").split(";").filter(Boolean);
  return new Map(pairs.map((pair) => [(pair.split("=")[0] ?? "").toUpperCase(), (pair.split("=")[1] ?? "").toUpperCase()]));
}
