import type { ConnectionState } from "@bron/client";
import { visible, type PartialText, type EventView } from "@bron/protocol";
import { useEffect, useReducer, useState } from "react";
import { api } from "../api.ts";
import { useOnline } from "../live/use-online.ts";
import { collect } from "./collect.ts";
import { emptyTimeline, tell, type Timeline } from "./timeline.ts";

export interface FollowedRun {
  readonly timeline: Timeline;
  /** What the model says while it says it. */
  readonly saying: string;
  readonly connection: ConnectionState;
  readonly error: unknown;
}

/** Follows a run for as long as the page shows it. */
export function useRun(runId: string): FollowedRun {
  const [timeline, add] = useReducer(tell, emptyTimeline);
  const [answer, setAnswer] = useState<PartialText>();
  const [connection, setConnection] = useState<ConnectionState>("live");
  const [error, setError] = useState<unknown>();
  const isOnline = useOnline();
  useEffect(() => {
    const leaving = new AbortController();
    const events = collect<EventView>(add);
    const answers = collect<PartialText>((all) => setAnswer(all.at(-1)));
    const follow = async () => {
      try {
        for await (const event of api.runs.events(runId, {
          signal: leaving.signal,
          onAnswer: answers.add,
          onConnection: setConnection,
        }))
          events.add(event);
      } catch (failure) {
        if (!leaving.signal.aborted) setError(failure);
      }
    };
    void follow();
    return () => {
      leaving.abort();
      events.stop();
      answers.stop();
    };
  }, [runId]);
  const isOver = answer === undefined || answer.step <= timeline.endedStep;
  return {
    timeline,
    saying: isOver ? "" : visible(answer.text),
    connection: isOnline ? connection : "offline",
    error,
  };
}
