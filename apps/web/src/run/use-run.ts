import type { ConnectionState } from "@bron/client";
import { visible, type AnswerInProgress, type EventView } from "@bron/protocol";
import { useEffect, useReducer, useState } from "react";
import { api } from "../api.ts";
import { useOnline } from "../live/use-online.ts";
import { collect } from "./collect.ts";
import { emptyStory, tell, type Story } from "./story.ts";

export interface FollowedRun {
  readonly story: Story;
  /** What the model says while it says it. */
  readonly saying: string;
  readonly connection: ConnectionState;
  readonly error: unknown;
}

/** Follows a run for as long as the page shows it. */
export function useRun(runId: string): FollowedRun {
  const [story, add] = useReducer(tell, emptyStory);
  const [answer, setAnswer] = useState<AnswerInProgress>();
  const [connection, setConnection] = useState<ConnectionState>("live");
  const [error, setError] = useState<unknown>();
  const isOnline = useOnline();
  useEffect(() => {
    const leaving = new AbortController();
    const events = collect<EventView>(add);
    const answers = collect<AnswerInProgress>((all) => setAnswer(all.at(-1)));
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
  const isOver = answer === undefined || answer.step <= story.endedStep;
  return {
    story,
    saying: isOver ? "" : visible(answer.text),
    connection: isOnline ? connection : "offline",
    error,
  };
}
