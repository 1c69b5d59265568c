export interface CalendarSections {
  /** Lines outside of events, such as METHOD. */
  readonly head: readonly string[];
  /** The raw VTIMEZONE blocks. */
  readonly zones: readonly string[];
  /** The lines of each event, from BEGIN to END. */
  readonly events: readonly (readonly string[])[];
  readonly eventCount: number;
  /** Number of other components, such as VTODO, by name. */
  readonly others: ReadonlyMap<string, number>;
}

const maxZones = 20;
const maxLinesOfEvent = 2_000;
const maxHeadLines = 100;

/**
 * Splits a calendar into its events, so that a broken one does not affect the others and a hundred
 * thousand need not all be parsed.
 */
export function splitCalendar(text: string, maxEvents: number): CalendarSections {
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

/** Joins folded lines, whose continuations start with a space. */
function* unfold(text: string): Generator<string> {
  let pieces: string[] = [];
  for (const { 0: line } of text.matchAll(/[^\r\n]+/g)) {
    if (/^[ \t]/.test(line) && pieces.length > 0) pieces.push(line.slice(1));
    else {
      if (pieces.length > 0) yield pieces.join("");
      pieces = [line];
    }
  }
  if (pieces.length > 0) yield pieces.join("");
}
