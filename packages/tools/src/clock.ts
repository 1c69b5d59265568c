import { BronError, defineTool, type Tool } from "@bron/core";
import { z } from "zod";

export function createClock(now: () => Date): Tool {
  return defineTool({
    name: "clock",
    description: "Tells the date and time now, here or in a time zone.",
    input: z.object({
      timezone: z
        .string()
        .min(1)
        .max(100)
        .optional()
        .describe("IANA name, for example Europe/Paris; without it, the time zone of this machine"),
    }),
    label: "trusted",
    repeatable: true,
    reuseOnRetry: false,
    parallelSafe: true,
    execute: ({ timezone }) =>
      tellTime(now(), timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone),
  });
}

function tellTime(at: Date, wanted: string) {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat("en-GB", { timeZone: wanted, hourCycle: "h23", ...options });
  let timezone: string;
  try {
    timezone = format({}).resolvedOptions().timeZone;
  } catch (error) {
    throw new BronError(
      "invalid_arguments",
      `There is no time zone "${wanted}". Use an IANA name such as Europe/Paris, America/New_York or UTC.`,
      { cause: error },
    );
  }
  const parts = Object.fromEntries(
    format({
      weekday: "long",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      timeZoneName: "longOffset",
    })
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const date = `${parts["year"]}-${parts["month"]}-${parts["day"]}`;
  const offset = parts["timeZoneName"]?.replace("GMT", "") || "+00:00";
  return {
    timezone,
    text: `${parts["weekday"]}, ${date} ${parts["hour"]}:${parts["minute"]} (${timezone}, UTC${offset === "+00:00" ? "" : offset})`,
    iso: `${date}T${parts["hour"]}:${parts["minute"]}:${parts["second"]}${offset}`,
  };
}
