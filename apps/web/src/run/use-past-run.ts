import type { RunView } from "@bron/protocol";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { queries } from "../live/queries.ts";
import { applyEvents, emptyTimeline, type Timeline } from "./timeline.ts";

/** The timeline of a task that has ended. Undefined until its log has arrived. */
export function usePastRun(
  { id, lastSeq }: Pick<RunView, "id" | "lastSeq">,
  isWanted: boolean,
): {
  readonly timeline: Timeline | undefined;
  readonly error: unknown;
  retry(): void;
} {
  const { data, error, refetch } = useQuery({ ...queries.log(id, lastSeq), enabled: isWanted });
  const timeline = useMemo(() => data && applyEvents(emptyTimeline, data), [data]);
  return { timeline, error, retry: () => void refetch() };
}
