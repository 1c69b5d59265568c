import { useEffect, useState } from "react";
import { serverClock } from "./live/server-clock.ts";

/**
 * The current time of the server's clock, which all times on the page come from. Updates while
 * `isTicking`.
 */
export function useNow(isTicking: boolean, everyMs = 1_000): number {
  const [now, setNow] = useState(serverClock.now);
  useEffect(() => {
    if (!isTicking) return;
    setNow(serverClock.now());
    const timer = setInterval(() => setNow(serverClock.now()), everyMs);
    return () => clearInterval(timer);
  }, [isTicking, everyMs]);
  return now;
}
