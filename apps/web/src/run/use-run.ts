import type { ConnectionState } from "@bron/client";
import { visible, type PartialText, type EventView } from "@bron/protocol";
import { useEffect, useMemo, useReducer, useState } from "react";
import { api } from "../api.ts";
import { browserTabs } from "../live/browser-tabs.ts";
import { subscribeToRun } from "../live/run-feed.ts";
import { useOnline } from "../live/use-online.ts";
import { batchPerFrame } from "./batch-per-frame.ts";
import { emptyTimeline, applyEvents, type Timeline } from "./timeline.ts";

interface LiveRun {
  readonly timeline: Timeline;
  /** The text that the model is writing. */
  readonly partialText: string;
  /** What the model is thinking. Empty once its message is in the log. */
  readonly thoughts: string;
  /** The latest word of each running tool call, by action. */
  readonly progress: ReadonlyMap<string, string>;
  readonly connection: ConnectionState;
  readonly error: unknown;
}

/** Subscribes to a run while the page shows it. */
export function useRun(runId: string): LiveRun {
  const [timeline, add] = useReducer(applyEvents, emptyTimeline);
  const [latest, setLatest] = useState<PartialText>();
  const [connection, setConnection] = useState<ConnectionState>("live");
  const [error, setError] = useState<unknown>();
  const isOnline = useOnline();
  useEffect(() => {
    const unmounted = new AbortController();
    const events = batchPerFrame<EventView>(add);
    const partials = batchPerFrame<PartialText>((all) => setLatest(all.at(-1)));
    subscribeToRun({ api, tabs: browserTabs }, runId, {
      signal: unmounted.signal,
      onEvent: events.add,
      onPartialText: partials.add,
      onConnection: setConnection,
    }).catch((failure: unknown) => {
      if (!unmounted.signal.aborted) setError(failure);
    });
    return () => {
      unmounted.abort();
      events.stop();
      partials.stop();
    };
  }, [runId]);
  const progress = useMemo(
    () =>
      new Map(
        latest?.progress?.map(({ actionId, message }) => [actionId, visible(message)] as const),
      ),
    [latest],
  );
  const isObsolete = latest === undefined || latest.step <= timeline.endedStep;
  return {
    timeline,
    partialText: isObsolete ? "" : visible(latest.text),
    thoughts: isObsolete ? "" : visible(latest.thoughts?.text ?? ""),
    progress,
    connection: isOnline ? connection : "offline",
    error,
  };
}
