import { BronError } from "@bron/core";

const isoTime =
  /^(\d{4}-\d{2}-\d{2})(?:T([01]\d|2[0-3]):([0-5]\d)(?::[0-5]\d(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;
const ownTime = /^\d{9,11}(?:\.\d{1,6})?$/;

/**
 * Accepts ISO times and Slack's own seconds. A time without an offset is UTC, regardless of the
 * server's zone. Throws invalid_arguments.
 */
export function slackTime(what: string, text: string): string {
  if (ownTime.test(text)) return text;
  const [, date] = isoTime.exec(text) ?? [];
  const time = date !== undefined && isDay(date) ? Date.parse(withOffset(text)) : Number.NaN;
  if (Number.isNaN(time) || time < 0)
    throw new BronError(
      "invalid_arguments",
      `${what}: ${JSON.stringify(text)} is not a time such as 2026-03-30, 2026-03-30T09:00Z or 2026-03-30T09:00+02:00.`,
    );
  return (time / 1_000).toFixed(6);
}

/** A date alone is already parsed as UTC. */
function withOffset(text: string): string {
  return text.includes("T") && !/(?:Z|[+-]\d{2}:\d{2})$/.test(text) ? `${text}Z` : text;
}

/** Rejects dates such as February 31, which would become March 3. */
function isDay(date: string): boolean {
  const time = Date.parse(`${date}T00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}
