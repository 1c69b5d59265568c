import type { RunView, ThreadView } from "@bron/protocol";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { queries } from "../live/queries.ts";

interface LoadedThread {
  readonly thread: ThreadView | undefined;
  /** The tasks that are loaded, oldest first. */
  readonly runs: readonly RunView[];
  readonly hasEarlier: boolean;
  readonly isLoadingEarlier: boolean;
  /** The wanted task is loaded, or the conversation does not have it. */
  readonly isComplete: boolean;
  readonly error: unknown;
  loadEarlier(): void;
}

/** A conversation with its newest tasks, and all back to the one that is wanted. */
export function useThread(threadId: string, wantedId: string | undefined): LoadedThread {
  const { data, error, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } =
    useInfiniteQuery(queries.thread(threadId));
  const runs = useMemo(() => data?.pages.toReversed().flatMap((page) => page.runs) ?? [], [data]);
  const isMissing = wantedId !== undefined && !runs.some(({ id }) => id === wantedId);
  const mustLoad = data !== undefined && isMissing && hasNextPage && !isFetchNextPageError;
  // Depends on the data, because a page may arrive before the page shows that it is being fetched.
  useEffect(() => {
    if (mustLoad && !isFetchingNextPage) void fetchNextPage();
  }, [data, mustLoad, isFetchingNextPage, fetchNextPage]);
  return {
    thread: data?.pages[0],
    runs,
    hasEarlier: hasNextPage,
    isLoadingEarlier: isFetchingNextPage,
    isComplete: data !== undefined && !mustLoad,
    error,
    loadEarlier: () => void fetchNextPage(),
  };
}
