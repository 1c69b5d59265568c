import type { Clock } from "../ports/clock.ts";

/**
 * The last known time of the database, advanced by the monotonic clock. It runs late rather than
 * early and ignores steps of the wall clock.
 */
export interface DatabaseClock {
  now(): number;
  /** Call this with a time as soon as the database has reported it. */
  set(databaseNow: number): void;
}

export function createDatabaseClock(clock: Clock, databaseNow: number): DatabaseClock {
  let anchor = { database: databaseNow, monotonic: clock.monotonic() };
  return {
    now: () => anchor.database + clock.monotonic() - anchor.monotonic,
    set(now) {
      anchor = { database: now, monotonic: clock.monotonic() };
    },
  };
}
