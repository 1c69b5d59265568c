import { createContext, useContext, useMemo, useState } from "react";

interface Unfolded {
  has(runId: string): boolean;
  toggle(runId: string): void;
}

/**
 * Which child runs the page shows with their steps. The page keeps this, because a row of a long
 * timeline is removed while it is out of view.
 */
export const UnfoldedContext = createContext<Unfolded>({
  has: () => false,
  toggle: () => undefined,
});

export function useUnfolded(): Unfolded {
  return useContext(UnfoldedContext);
}

export function useUnfoldedState(): Unfolded {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  return useMemo(
    () => ({
      has: (runId) => ids.has(runId),
      toggle: (runId) =>
        setIds((before) => {
          const next = new Set(before);
          if (!next.delete(runId)) next.add(runId);
          return next;
        }),
    }),
    [ids],
  );
}
