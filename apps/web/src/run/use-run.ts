import type { AnswerInProgress } from "@bron/protocol";
import { useEffect, useReducer, useState } from "react";
import { api } from "../api.ts";
import { emptyStory, tell, type Story } from "./story.ts";

export interface RunState {
  readonly story: Story;
  /** What the model says while it says it. */
  readonly saying: string;
  readonly isCut: boolean;
  readonly error: string | undefined;
}

/** Follows a run for as long as the page shows it. */
export function useRun(runId: string): RunState {
  const [story, add] = useReducer(tell, emptyStory);
  const [answer, setAnswer] = useState<AnswerInProgress>();
  const [isCut, setIsCut] = useState(false);
  const [error, setError] = useState<string>();
  useEffect(() => {
    const leaving = new AbortController();
    const follow = async () => {
      try {
        for await (const event of api.runs.events(runId, { signal: leaving.signal, onAnswer: setAnswer, onConnection: (state) => setIsCut(state !== "live") })) {
          if (leaving.signal.aborted) return;
          add(event);
          if (event.type === "step" && event.payload.phase === "end") setAnswer(undefined);
        }
      } catch (failure) {
        if (!leaving.signal.aborted) setError(failure instanceof Error ? failure.message : String(failure));
      }
    };
    void follow();
    return () => leaving.abort();
  }, [runId]);
  return { story, saying: answer?.text ?? "", isCut, error };
}
