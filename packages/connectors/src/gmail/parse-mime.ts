import type { Email } from "postal-mime";
import { letOthersRun } from "../let-others-run.ts";

/** About a millisecond of work. */
const linesAtOnce = 200;

/** Not among the parser's declared methods: `parse` calls it for every line and awaits it. */
interface LineParser {
  processLine(line: Uint8Array, isFinal: boolean): Promise<void>;
}

/**
 * What is attached is listed as a file, whatever it says of itself. A mail of 25 MB takes seconds, and the parser never gives up
 * its turn by itself, so it is made to after some lines.
 */
export async function parseMime(bytes: Uint8Array<ArrayBuffer>): Promise<Email> {
  const { default: PostalMime } = await import("postal-mime");
  const parser = new PostalMime({ forceRfc822Attachments: true });
  const byLine = parser as unknown as LineParser;
  const processLine = byLine.processLine.bind(parser);
  let lines = 0;
  byLine.processLine = async (line, isFinal) => {
    if (++lines % linesAtOnce === 0) await letOthersRun();
    await processLine(line, isFinal);
  };
  return await parser.parse(bytes);
}
