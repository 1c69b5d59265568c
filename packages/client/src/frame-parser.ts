/** One message of a server-sent event stream. */
export interface Frame {
  readonly event: string;
  readonly data: string;
}

/**
 * Returns a function that takes chunks of a stream and returns the messages they complete. It skips
 * comments and retry hints.
 */
export function createFrameParser(): (text: string) => Frame[] {
  /**
   * The chunks of the incomplete last line. They are joined only once, so that many small chunks
   * stay cheap.
   */
  let rest: string[] = [];
  let event = "";
  let data: string[] = [];

  const readLine = (line: string): Frame | undefined => {
    if (line === "") {
      const frame =
        data.length === 0 ? undefined : { event: event || "message", data: data.join("\n") };
      event = "";
      data = [];
      return frame;
    }
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") event = value;
    if (field === "data") data.push(value);
    return undefined;
  };

  return (text) => {
    rest.push(text);
    if (!/[\r\n]/.test(text) && rest.at(-2)?.endsWith("\r") !== true) return [];
    const buffered = rest.join("");
    // A CRLF may be split between two chunks.
    const end = buffered.endsWith("\r") ? buffered.length - 1 : buffered.length;
    const lines = buffered.slice(0, end).split(/\r\n|\n|\r/);
    rest = [(lines.pop() ?? "") + buffered.slice(end)];
    return lines.flatMap((line) => readLine(line) ?? []);
  };
}
