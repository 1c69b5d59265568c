import { texts } from "./texts.ts";
import { useNow } from "./use-now.ts";

/** A time in the reader's zone and format. */
export function Time({ at }: { readonly at: string }) {
  const date = new Date(at);
  return (
    <time
      dateTime={at}
      title={date.toLocaleString(undefined, { dateStyle: "full", timeStyle: "medium" })}
    >
      {date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" })}
    </time>
  );
}

/** The time of day, where a heading has the date. To the second if it is exact. */
export function TimeOfDay({
  at,
  isExact = false,
}: {
  readonly at: string;
  readonly isExact?: boolean;
}) {
  const date = new Date(at);
  return (
    <time
      dateTime={at}
      title={date.toLocaleString(undefined, { dateStyle: "full", timeStyle: "medium" })}
    >
      {date.toLocaleTimeString(undefined, { timeStyle: isExact ? "medium" : "short" })}
    </time>
  );
}

const units = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;
/** Relative times are part of our sentences, so they use the language of the interface. */
const inWords = new Intl.RelativeTimeFormat(texts.language, { numeric: "auto" });

/** How long ago a time was. Anything older than a month is shown as a date. */
export function Ago({ at }: { readonly at: string }) {
  const now = useNow(true, 30_000);
  const seconds = Math.min(0, (Date.parse(at) - now) / 1_000);
  if (seconds < -30 * 86_400) return <Time at={at} />;
  const [unit, size] = units.find(([, length]) => -seconds >= length) ?? ["second", 60];
  return (
    <time
      dateTime={at}
      title={new Date(at).toLocaleString(undefined, { dateStyle: "full", timeStyle: "medium" })}
    >
      {inWords.format(Math.trunc(seconds / size), unit)}
    </time>
  );
}
