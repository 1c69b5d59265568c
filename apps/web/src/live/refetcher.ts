import type { QueryClient, QueryKey } from "@tanstack/react-query";

export type Invalidate = (queryKey: QueryKey) => void;

/**
 * Refetches what changed: at once, and then at most once per `pauseMs` for each key, so that a burst
 * of changes does not become a burst of requests. The last change is never left out.
 */
export function createRefetcher(client: Pick<QueryClient, "invalidateQueries">, pauseMs: number) {
  /** Keys that were refetched just now, and whether they changed again since. */
  const paused = new Map<string, { isChanged: boolean; timer: ReturnType<typeof setTimeout> }>();
  const invalidate: Invalidate = (queryKey) => {
    const name = JSON.stringify(queryKey);
    const pause = paused.get(name);
    if (pause) {
      pause.isChanged = true;
      return;
    }
    void client.invalidateQueries({ queryKey });
    const timer = setTimeout(() => {
      const { isChanged } = paused.get(name) ?? { isChanged: false };
      paused.delete(name);
      if (isChanged) invalidate(queryKey);
    }, pauseMs);
    paused.set(name, { isChanged: false, timer });
  };
  return {
    invalidate,
    stop() {
      for (const { timer } of paused.values()) clearTimeout(timer);
      paused.clear();
    },
  };
}
