import { hostsIn } from "./linked-hosts.ts";
import { readingsOf } from "./text-readings.ts";
import { traceableValues } from "./traceable-values.ts";

/** What a text can lead its reader to. */
export interface ContentValues {
  readonly hosts: readonly string[];
  /** See `traceableValues`. */
  readonly values: readonly string[];
}

/** Reads what a run has seen and what leaves it in the same way, so that both are found in both. */
export function contentValues(text: string): ContentValues {
  const readings = readingsOf(text);
  return { hosts: hostsIn(readings), values: traceableValues(text, readings) };
}
