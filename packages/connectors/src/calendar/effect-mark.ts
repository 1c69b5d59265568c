import type { calendar_v3 } from "@googleapis/calendar";
import { randomBytes } from "node:crypto";

/** Google allows 300 private properties per event. */
const maxMarks = 50;
const namePattern = /^bron[0-9a-f]{32}$/;

/** Event ids may only use some letters, which include all hexadecimal digits. */
export function newMark(): string {
  return randomBytes(16).toString("hex");
}

/**
 * Private properties that identify our change. Only apps of the same OAuth client can see them.
 * Each change adds its own property, so that a later one does not hide it. They are numbered, so
 * that the oldest can be dropped.
 */
export function markWith(
  mark: string,
  event?: calendar_v3.Schema$Event,
): Record<string, string | null> {
  const earlier = marksOn(event).map(([name, value]) => ({ name, number: Number(value) || 0 }));
  const newestFirst = earlier.toSorted((a, b) => b.number - a.number);
  const dropped = newestFirst.slice(maxMarks - 1).map(({ name }) => [name, null] as const);
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

/** The marks of all our changes. */
export function marksOn(event: calendar_v3.Schema$Event | undefined): [string, string][] {
  return Object.entries(event?.extendedProperties?.private ?? {}).filter(([name]) =>
    namePattern.test(name),
  );
}
