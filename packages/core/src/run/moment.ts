import type { Clock } from "../ports.ts";

export interface Moment {
  readonly wall: number;
  readonly monotonic: number;
}

export function momentOf(clock: Clock): Moment {
  return { wall: clock.now(), monotonic: clock.monotonic() };
}

/** A sleeping machine stops one clock, a step changes the other: the longer time counts. */
export function msSince(clock: Clock, moment: Moment): number {
  return Math.max(clock.now() - moment.wall, clock.monotonic() - moment.monotonic);
}
