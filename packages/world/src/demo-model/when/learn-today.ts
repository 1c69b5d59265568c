import { Temporal } from "temporal-polyfill";
import { dayOfTime } from "./say-when.ts";

const spoken = /\b[Tt]oday is (?:[A-Z][a-z]+,? )?(?<day>\d{4}-\d{2}-\d{2})\b/;

/** What the system instruction says of the date. What was attached comes from others and does not count. */
export function todayIn(system: string): Temporal.PlainDate | undefined {
  const [own = ""] = system.split("[ATTACHED CONTEXT]");
  return dayOfTime(spoken.exec(own)?.groups?.["day"] ?? "");
}
