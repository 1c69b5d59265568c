import { readFile, rename, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Reader } from "@bron/testing";
import { digestOfReading } from "./reading-requests.ts";

/** What a real model returned for one request, after at most one repair. */
export interface RecordedReading {
  readonly output: unknown;
  /** Calls of the model, with repairs and repetitions. */
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costMicrousd: number;
  readonly latencyMs: number;
}

export interface Recordings {
  /** The model and its provider, such as "gemini/gemini-3.8-flash". */
  readonly model: string;
  /** The last day on which something was recorded, as YYYY-MM-DD. */
  readonly date: string;
  /** By the digest of the request. Another instruction, schema or text is another request. */
  readonly readings: Readonly<Record<string, RecordedReading>>;
}

/** The recordings of the repository. The file does not exist before a model was asked. */
export const recordingsFile = fileURLToPath(
  new URL("../../recorded-readings.json", import.meta.url),
);

/** Undefined if nothing was recorded. */
export async function loadRecordings(file: string): Promise<Recordings | undefined> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as Recordings;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** One reading per line, in the order of their digests, so that a diff shows what changed. */
export async function saveRecordings(
  file: string,
  { model, date, readings }: Recordings,
): Promise<void> {
  const lines = Object.entries(readings)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([digest, reading]) => `    ${JSON.stringify(digest)}: ${JSON.stringify(reading)}`);
  const head = [model, date].map((value) => JSON.stringify(value));
  const text = `{\n  "model": ${head[0]},\n  "date": ${head[1]},\n  "readings": {\n${lines.join(",\n")}\n  }\n}\n`;
  // A process that dies while it writes must not lose what was paid for.
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
}

/**
 * Reads words as they were recorded. A request without a recording fails like an outage, so that
 * everything asks, and `missing` counts it.
 */
export function recordedReader(recordings: Recordings | undefined): {
  readonly reader: Reader;
  readonly missing: ReadonlySet<string>;
} {
  const missing = new Set<string>();
  return {
    missing,
    reader(_, options) {
      const digest = digestOfReading(options);
      const recorded = recordings?.readings[digest];
      if (recorded) return recorded.output;
      missing.add(digest);
      throw Object.assign(new TypeError(`Nothing is recorded for ${digest}`), { statusCode: 503 });
    },
  };
}
