import type { calendar_v3 } from "@googleapis/calendar";
import { randomBytes } from "node:crypto";

/** Google takes 300 private properties of an event. */
const mostMarks = 50;
const namePattern = /^bron[0-9a-f]{32}$/;

/** Hexadecimal digits are among the letters that ids of events may have. */
export function newMark(): string {
  return randomBytes(16).toString("hex");
}

/**
 * The private properties by which a change of ours is found again; only apps that the owner connected as Bron can see them.
 * Each change has one of its own, so that a later one does not hide it. Numbered, so that the oldest can make room.
 */
export function markWith(
  mark: string,
  event?: calendar_v3.Schema$Event,
): Record<string, string | null> {
  const earlier = marksOn(event).map(([name, value]) => ({ name, number: Number(value) || 0 }));
  const newestFirst = earlier.toSorted((one, other) => other.number - one.number);
  const dropped = newestFirst.slice(mostMarks - 1).map(({ name }) => [name, null] as const);
  return {
    ...Object.fromEntries(dropped),
    [nameOf(mark)]: String((newestFirst[0]?.number ?? 0) + 1),
  };
}

export function isMarkedWith(mark: string, event: calendar_v3.Schema$Event): boolean {
  return marksOn(event).some(([name]) => name === nameOf(mark));
}

function nameOf(mark: string): string {
  return `bron${mark}`;
}

function marksOn(event: calendar_v3.Schema$Event | undefined): [string, string][] {
  return Object.entries(event?.extendedProperties?.private ?? {}).filter(([name]) =>
    namePattern.test(name),
  );
}
