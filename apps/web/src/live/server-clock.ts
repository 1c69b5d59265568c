/**
 * An estimate of the server's clock. The `Date` header of a response names the second that the clock
 * showed at some time between the request and the response.
 */
interface ServerClock {
  /** Records a response, with the local times of the request and of the response. */
  hear(date: string | null, askedAt: number, cameAt: number): void;
  now(): number;
}

/** One second, plus the delay with which a busy server may update its `Date` header. */
const resolutionMs = 1_500;

export function createServerClock(ownNow: () => number = () => Date.now()): ServerClock {
  /** The range of how far the server's clock may be ahead of the local one. */
  let ahead = { least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY };
  return {
    hear(date, askedAt, cameAt) {
      const second = Date.parse(date ?? "");
      if (Number.isNaN(second)) return;
      const observed = { least: second - cameAt, most: second + resolutionMs - askedAt };
      const both = {
        least: Math.max(observed.least, ahead.least),
        most: Math.min(observed.most, ahead.most),
      };
      // If both cannot be true, one of the clocks was changed. The newer observation counts.
      ahead = both.least > both.most ? observed : both;
    },
    // The smallest possible correction, so that a local clock that is right stays as it is.
    now: () => ownNow() + Math.min(Math.max(0, ahead.least), ahead.most),
  };
}

export const serverClock = createServerClock();

/** A `fetch` that records the clock of the server with every response. */
export async function fetchByClock(url: URL, init: RequestInit): Promise<Response> {
  const askedAt = Date.now();
  const response = await fetch(url, init);
  serverClock.hear(response.headers.get("date"), askedAt, Date.now());
  return response;
}
