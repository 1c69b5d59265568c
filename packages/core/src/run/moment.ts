import type { Clock } from "../ports/clock.ts";

export interface Moment {
  readonly wall: number;
  readonly monotonic: number;
}

export function momentOf(clock: Clock): Moment {
  return { wall: clock.now(), monotonic: clock.monotonic() };
}

/**
 * Returns the longer of two measurements. A sleeping machine stops one clock, and setting the time
 * changes the other.
 */
export function msSince(clock: Clock, moment: Moment): number {
  return Math.max(clock.now() - moment.wall, clock.monotonic() - moment.monotonic);
}
