import { BronError } from "@bron/core";

const isoTime =
  /^(\d{4}-\d{2}-\d{2})(?:T([01]\d|2[0-3]):([0-5]\d)(?::[0-5]\d(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;
const ownTime = /^\d{9,11}(?:\.\d{1,6})?$/;

/** ISO, or Slack's own seconds. What names no offset is UTC: where the server stands does not matter. Throws invalid_arguments. */
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

/** Dates alone are UTC already. */
function withOffset(text: string): string {
  return text.includes("T") && !/(?:Z|[+-]\d{2}:\d{2})$/.test(text) ? `${text}Z` : text;
}

/** 31 February would become 3 March. */
function isDay(date: string): boolean {
  const time = Date.parse(`${date}T00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}
