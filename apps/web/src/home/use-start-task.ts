import { omitUndefined, type RunView } from "@bron/protocol";
import { useMutation, useQueryClient, type UseMutationResult } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../api.ts";
import { addToThread } from "../live/thread-cache.ts";
import { attachToRun } from "./attach-files.ts";
import { useUploads } from "./use-uploads.ts";

/** What the owner asks for. */
export interface NewTask {
  readonly prompt: string;
  readonly context: string[] | undefined;
  readonly files: readonly File[];
  readonly bronId: string | undefined;
  readonly model: string | undefined;
}

/** What the task is a part of. */
interface Place {
  /** The conversation to continue. */
  readonly threadId?: string | undefined;
  /** The run under way that hears the words, instead of a new one. */
  readonly runUnderWay?: string | undefined;
  /** The words were taken. */
  onTaken(): void;
  /** Called once a new task has started. By default its conversation opens. */
  readonly onStarted?: ((run: RunView) => void) | undefined;
}

interface Started {
  readonly run: RunView;
  readonly isNewTask: boolean;
}

/**
 * Starts a task, or passes the words to the run that is under way. An idempotency key prevents one
 * submission from starting two runs.
 */
export function useStartTask({
  threadId,
  runUnderWay,
  onTaken,
  onStarted,
}: Place): UseMutationResult<Started, Error, NewTask> {
  const [key, setKey] = useState(() => crypto.randomUUID());
  const navigate = useNavigate();
  const client = useQueryClient();
  const uploaded = useUploads();
  return useMutation<Started, Error, NewTask>({
    async mutationFn({ prompt, context, files, bronId, model }) {
      const uploads = await Promise.all(files.map(uploaded));
      const rest =
        runUnderWay === undefined ? uploads : await attachToRun(api, runUnderWay, uploads);
      if (runUnderWay !== undefined && rest.length === 0)
        return await api.call("POST /api/runs/:id/messages", {
          params: { id: runUnderWay },
          body: { content: prompt, ...omitUndefined({ context }) },
          idempotencyKey: key,
        });
      const uploadIds = rest.length === 0 ? undefined : rest.map(({ id }) => id);
      const run = await api.call("POST /api/runs", {
        body: { prompt, ...omitUndefined({ context, bronId, threadId, model, uploadIds }) },
        idempotencyKey: key,
      });
      return { run, isNewTask: true };
    },
    onSuccess({ run, isNewTask }) {
      onTaken();
      setKey(crypto.randomUUID());
      if (!isNewTask) return;
      addToThread(client, run);
      if (onStarted) onStarted(run);
      else void navigate({ to: "/threads/$threadId", params: { threadId: run.threadId } });
    },
    // After a rejection the next try is a new task. After a lost response it is the same one.
    onError: (error) =>
      "retryable" in error && error.retryable === false && setKey(crypto.randomUUID()),
  });
}
