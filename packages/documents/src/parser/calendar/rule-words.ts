const units: Readonly<Record<string, string>> = {
  DAILY: "day",
  WEEKLY: "week",
  MONTHLY: "month",
  YEARLY: "year",
};
const days: Readonly<Record<string, string>> = {
  MO: "Monday",
  TU: "Tuesday",
  WE: "Wednesday",
  TH: "Thursday",
  FR: "Friday",
  SA: "Saturday",
  SU: "Sunday",
};
const places: Readonly<Record<string, string>> = {
  "1": "first",
  "2": "second",
  "3": "third",
  "4": "fourth",
  "5": "fifth",
  "-1": "last",
  "-2": "second to last",
};
const maxShown = 500;

/** Formats the rule's end as the event's own calendar shows it. */
type EndWriter = (stamp: string) => string;

/** Describes the rule in words where they are exact, otherwise returns the rule itself. */
export function ruleInWords(rule: string, at: EndWriter): string {
  return inWords(rule, at) ?? `by the rule ${rule.slice(0, maxShown)}`;
}

function inWords(rule: string, at: EndWriter): string | undefined {
  const parts = new Map(
    rule
      .toUpperCase()
      .split(";")
      .map((part) => part.split("=", 2) as [string, string | undefined]),
  );
  const {
    FREQ,
    INTERVAL = "1",
    BYDAY,
    COUNT,
    UNTIL,
    WKST,
    ...rest
  } = Object.fromEntries(parts) as Partial<Record<string, string>>;
  const unit = units[FREQ ?? ""];
  if (unit === undefined || Object.keys(rest).length > 0 || !/^[1-9]\d{0,3}$/.test(INTERVAL))
    return undefined;
  // The first day of the week matters only if some weeks are skipped.
  if (WKST !== undefined && INTERVAL !== "1") return undefined;
  const on = BYDAY === undefined ? "" : dayWords(unit, BYDAY.split(","));
  const end = endWords(COUNT, UNTIL, at);
  if (on === undefined || end === undefined) return undefined;
  return `every ${INTERVAL === "1" ? unit : `${INTERVAL} ${unit}s`}${on}${end}`;
}

function dayWords(unit: string, codes: readonly string[]): string | undefined {
  const names = codes.map((day) => {
    const [, place = "", code = ""] = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(day) ?? [];
    const name = days[code];
    if (unit === "week") return place === "" ? name : undefined;
    const which = places[place.replace("+", "")];
    return unit === "month" && name !== undefined && which !== undefined
      ? `the ${which} ${name}`
      : undefined;
  });
  return names.includes(undefined) ? undefined : ` on ${names.join(" and ")}`;
}

function endWords(
  count: string | undefined,
  until: string | undefined,
  at: EndWriter,
): string | undefined {
  if (count !== undefined && until !== undefined) return undefined;
  if (count !== undefined)
    return /^[1-9]\d{0,5}$/.test(count)
      ? `, ${count === "1" ? "once" : `${count} times`}`
      : undefined;
  if (until === undefined) return "";
  return /^\d{8}(?:T\d{6}Z?)?$/.test(until) ? `, until ${at(until)}` : undefined;
}
