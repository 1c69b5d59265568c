/** One message of an event stream. */
export interface Frame {
  readonly event: string;
  readonly data: string;
}

/** Takes the text of a stream as it comes and gives the messages that are whole. Comments and retry hints are left out. */
export function createFrameParser(): (text: string) => Frame[] {
  /** The pieces of the line that is not whole yet. Joined once, however many they are. */
  let rest: string[] = [];
  let event = "";
  let data: string[] = [];

  const take = (line: string): Frame | undefined => {
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
    const whole = rest.join("");
    // A line break of two characters may have been cut in the middle.
    const end = whole.endsWith("\r") ? whole.length - 1 : whole.length;
    const lines = whole.slice(0, end).split(/\r\n|\n|\r/);
    rest = [(lines.pop() ?? "") + whole.slice(end)];
    return lines.flatMap((line) => take(line) ?? []);
  };
}
