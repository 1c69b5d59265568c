import type { Email } from "postal-mime";
import { yieldToEventLoop } from "../yield-to-event-loop.ts";

/** Takes about a millisecond to parse. */
const linesPerTurn = 200;

/** An undeclared method of the parser. `parse` calls and awaits it for every line. */
interface LineParser {
  processLine(line: Uint8Array, isFinal: boolean): Promise<void>;
}

/**
 * Parses a message and lists attached messages as files. A mail of 25 MB takes seconds and the
 * parser never yields by itself, so this yields to the event loop every few lines.
 */
export async function parseMime(bytes: Uint8Array<ArrayBuffer>): Promise<Email> {
  const { default: PostalMime } = await import("postal-mime");
  const parser = new PostalMime({ forceRfc822Attachments: true });
  const byLine = parser as unknown as LineParser;
  const processLine = byLine.processLine.bind(parser);
  let lines = 0;
  byLine.processLine = async (line, isFinal) => {
    if (++lines % linesPerTurn === 0) await yieldToEventLoop();
    await processLine(line, isFinal);
  };
  return await parser.parse(bytes);
}
