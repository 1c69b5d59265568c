export interface CalendarDeps {
  /** What stands outside of events: METHOD and the like. */
  readonly head: readonly string[];
  /** The VTIMEZONE blocks, as they stand. */
  readonly zones: readonly string[];
  /** The lines of each event, from BEGIN to END. */
  readonly events: readonly (readonly string[])[];
  readonly eventCount: number;
  /** What else is in it, such as VTODO, by number. */
  readonly others: ReadonlyMap<string, number>;
}

const maxZones = 20;
const maxLinesOfEvent = 2_000;
const maxHeadLines = 100;

/** Cuts a calendar into its events, so that one that is broken does not spoil the others, and a hundred thousand need not all be read. */
export function splitCalendar(text: string, maxEvents: number): CalendarDeps {
  const [head, zones, events]: [string[], string[], string[][]] = [[], [], []];
  const others = new Map<string, number>();
  let eventCount = 0;
  let block: { readonly name: string; readonly lines: string[] } | undefined;
  for (const line of unfold(text)) {
    const begins = /^BEGIN:(\w+)\s*$/i.exec(line)?.[1]?.toUpperCase();
    if (!block && begins !== undefined && begins !== "VCALENDAR") {
      block = { name: begins, lines: [] };
      if (begins === "VEVENT") eventCount += 1;
      else if (begins !== "VTIMEZONE") others.set(begins, (others.get(begins) ?? 0) + 1);
    }
    if (!block) {
      if (head.length < maxHeadLines) head.push(line);
      continue;
    }
    if (block.lines.length < maxLinesOfEvent) block.lines.push(line);
    if (!new RegExp(`^END:${block.name}\\s*$`, "i").test(line)) continue;
    if (block.name === "VEVENT" && events.length < maxEvents) events.push(block.lines);
    if (block.name === "VTIMEZONE" && zones.length < maxZones) zones.push(block.lines.join("\r\n"));
    block = undefined;
  }
  return { head, zones, events, eventCount, others };
}

/** Long lines are written in several, of which the later begin with a space. */
function* unfold(text: string): Generator<string> {
  let whole: string[] = [];
  for (const { 0: line } of text.matchAll(/[^\r\n]+/g)) {
    if (/^[ \t]/.test(line) && whole.length > 0) whole.push(line.slice(1));
    else {
      if (whole.length > 0) yield whole.join("");
      whole = [line];
    }
  }
  if (whole.length > 0) yield whole.join("");
}
