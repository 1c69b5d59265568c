import { BronError } from "@bron/core";

/**
 * Cuts a stream of bytes into lines, in linear time. Throws once a line is longer than the limit.
 */
export function createLineReader(
  maxBytes: number,
  onLine: (line: string) => void,
): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let bytes = 0;
  return (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      parts.push(chunk.subarray(start, end));
      const line = Buffer.concat(parts).toString("utf8");
      parts = [];
      bytes = 0;
      start = end + 1;
      onLine(line);
    }
    parts.push(chunk.subarray(start));
    bytes += chunk.length - start;
    if (bytes > maxBytes)
      throw new BronError("tool_failed", "The program sent a line without end.");
  };
}
