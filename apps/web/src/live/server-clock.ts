/** The server's clock as far as its answers tell it: their `Date` header names a second, and the clock stood in it at some time between question and answer. */
export interface ServerClock {
  /** An answer that was asked for and came at these times of this machine's clock. */
  hear(date: string | null, askedAt: number, cameAt: number): void;
  now(): number;
}

/** A second, and what a busy server may be late with the next one. */
const resolutionMs = 1_500;

export function createServerClock(ownNow: () => number = () => Date.now()): ServerClock {
  /** How far the server's clock may be ahead of this machine's. */
  let ahead = { least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY };
  return {
    hear(date, askedAt, cameAt) {
      const second = Date.parse(date ?? "");
      if (Number.isNaN(second)) return;
      const heard = { least: second - cameAt, most: second + resolutionMs - askedAt };
      const both = {
        least: Math.max(heard.least, ahead.least),
        most: Math.min(heard.most, ahead.most),
      };
      // If both cannot be true one of the clocks was set: the newer word counts.
      ahead = both.least > both.most ? heard : both;
    },
    // As little from this machine's clock as can be: one that is right stays as it is.
    now: () => ownNow() + Math.min(Math.max(0, ahead.least), ahead.most),
  };
}

export const serverClock = createServerClock();

/** `fetch` that listens to the clock of whoever answers. */
export async function fetchByClock(url: URL, init: RequestInit): Promise<Response> {
  const askedAt = Date.now();
  const response = await fetch(url, init);
  serverClock.hear(response.headers.get("date"), askedAt, Date.now());
  return response;
}
