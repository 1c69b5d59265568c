export type RuleParts = ReadonlyMap<string, string>;

/** The rules whose words and dates cannot be mistaken; all others are shown as they are. */
export interface SimpleRule {
  readonly frequency: "DAILY" | "WEEKLY" | "MONTHLY" | "YEARLY";
  readonly interval: number;
  /** 1 is Monday, 7 Sunday; in order. Only of weekly ones. */
  readonly weekdays?: readonly number[];
  readonly count?: number;
  readonly until?: string;
}

const weekdays = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];

/** Undefined for what is not made of parts, each there once. */
export function partsOf(rule: string): RuleParts | undefined {
  const pairs = rule.trim().replace(/^RRULE:/i, "").toUpperCase().split(";").filter(Boolean);
  const parts = pairs.map((pair) => /^([A-Z]+)=([A-Z0-9,+-]+)$/.exec(pair)).flatMap((found) => (found ? [[found[1] ?? "", found[2] ?? ""] as const] : []));
  const map = new Map(parts);
  return map.size === pairs.length && map.size > 0 ? map : undefined;
}

export function simpleRule(rule: string): SimpleRule | undefined {
  const parts = partsOf(rule);
  if (!parts) return undefined;
  const { FREQ, INTERVAL = "1", COUNT, UNTIL, BYDAY, WKST = "MO", ...others } = Object.fromEntries(parts);
  const frequency = (["DAILY", "WEEKLY", "MONTHLY", "YEARLY"] as const).find((name) => name === FREQ);
  const days = BYDAY?.split(",").map((day) => weekdays.indexOf(day) + 1);
  // Weeks that begin on another day change which of them count.
  if (!frequency || WKST !== "MO" || Object.keys(others).length > 0 || (days && (frequency !== "WEEKLY" || days.includes(0)))) return undefined;
  if ([INTERVAL, COUNT ?? "1"].some((value) => !/^[1-9]\d{0,3}$/.test(value))) return undefined;
  return {
    ...{ frequency, interval: Number(INTERVAL) },
    ...(days ? { weekdays: [...new Set(days)].toSorted((one, other) => one - other) } : {}),
    ...(COUNT === undefined ? {} : { count: Number(COUNT) }),
    ...(UNTIL === undefined ? {} : { until: UNTIL }),
  };
}
