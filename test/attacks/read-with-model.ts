// npm run attacks -- readings [--recorded]
import { parseArgs } from "node:util";
import { BronError } from "@bron/core";
import { configuredModel } from "./support/readings/configured-model.ts";
import { attackCases, benignCases, casesPerClass } from "./support/readings/reading-cases.ts";
import { collectReadings } from "./support/readings/reading-requests.ts";
import { recordReadings } from "./support/readings/record-readings.ts";
import { loadRecordings, recordingsFile } from "./support/readings/recordings.ts";
import { reportReadings } from "./support/readings/report-readings.ts";

const { values } = parseArgs({
  options: {
    /** Compare what is recorded, and call no model. */
    recorded: { type: "boolean", default: false },
    file: { type: "string", default: recordingsFile },
    "per-class": { type: "string", default: String(casesPerClass) },
    "max-requests": { type: "string", default: "2000" },
    "max-tokens": { type: "string", default: "8000000" },
    "max-usd": { type: "string", default: "5" },
    "max-minutes": { type: "string", default: "40" },
  },
});

try {
  process.exitCode = await main();
} catch (error) {
  if (!BronError.is(error) && !(error instanceof RangeError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}

async function main(): Promise<number> {
  const { recorded, file } = values;
  // Bad settings end the command before the long work.
  const model = recorded ? undefined : configuredModel(process.env);
  const bounds = {
    requests: numberOf("max-requests"),
    tokens: numberOf("max-tokens"),
    microusd: numberOf("max-usd") * 1_000_000,
    ms: numberOf("max-minutes") * 60_000,
  };
  const before = await loadRecordings(file);
  if (model && before && before.model !== model.name)
    throw new RangeError(
      `${file} has readings by ${before.model}. Move it away, or name another one with --file.`,
    );
  if (model && !model.price)
    console.log(`${model.name} has no known price: only requests, tokens and time are limited.`);
  console.log("Collecting the requests of the product…");
  const attacks = await collectReadings(attackCases(numberOf("per-class")));
  const benign = await collectReadings(benignCases());
  const distinct = new Map([...attacks, ...benign].map((one) => [one.digest, one]));
  const recordings = model
    ? await recordReadings([...distinct.values()], {
        model,
        file,
        bounds,
        before,
        onProgress: (message) => console.log(message),
      })
    : before;
  const { lines, isPassed } = reportReadings(recordings, { attacks, benign });
  for (const line of lines) console.log(line);
  return isPassed ? 0 : 1;
}

function numberOf(name: Exclude<keyof typeof values, "recorded" | "file">): number {
  const number = Number(values[name]);
  if (Number.isFinite(number) && number > 0) return number;
  throw new RangeError(`--${name} must be a number above 0.`);
}
