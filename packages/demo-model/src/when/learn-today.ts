import { Temporal } from "temporal-polyfill";
import { dayOfTime } from "./say-when.ts";

const spoken = /\b[Tt]oday is (?:[A-Z][a-z]+,? )?(?<day>\d{4}-\d{2}-\d{2})\b/;

/**
 * Reads today's date from the system instruction. The attached context is ignored because it comes
 * from others.
 */
export function todayIn(system: string): Temporal.PlainDate | undefined {
  const [own = ""] = system.split("[ATTACHED CONTEXT]");
  return dayOfTime(spoken.exec(own)?.groups?.["day"] ?? "");
}
