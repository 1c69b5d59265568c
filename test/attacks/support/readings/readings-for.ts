import type { PlaySettings, PolicyCase } from "../play-case.ts";
import { loadRecordings, recordedReader, recordingsFile } from "./recordings.ts";

/** Set by `npm run attacks -- --recorded`. */
export const isRecorded = process.env["BRON_READINGS"] === "recorded";
const recordings = isRecorded ? loadRecordings(recordingsFile) : undefined;

/**
 * The reader of a case: by default its right reading, or what a real model returned. A case without
 * a complete recording has no result, whatever the policy made of it.
 */
export async function readingsFor({ isReaderDown }: PolicyCase): Promise<{
  readonly settings: Pick<PlaySettings, "reader">;
  readonly missing: ReadonlySet<string>;
}> {
  if (!isRecorded || isReaderDown === true) return { settings: {}, missing: new Set() };
  const { reader, missing } = recordedReader(await recordings);
  return { settings: { reader }, missing };
}
