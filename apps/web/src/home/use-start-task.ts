import { omitUndefined, type ApprovalView, type RunView } from "@bron/protocol";
import { useMutation, useQueryClient, type UseMutationResult } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../api.ts";
import { approvalQueue } from "../live/approval-queue.ts";
import { addToThread } from "../live/thread-cache.ts";
import { attachToRun } from "./attach-files.ts";
import { requestChanges } from "./request-changes.ts";
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
  /** The only approval that the run waits for. The words are a request to change it. */
  readonly approval?: Pick<ApprovalView, "id" | "digest"> | undefined;
  /** The words were taken. */
  onTaken(): void;
  /** Called once a new task has started. By default its conversation opens. */
  readonly onStarted?: ((run: RunView) => void) | undefined;
}

/**
 * Starts a task, or passes the words to the run that is under way. An idempotency key prevents one
 * submission from starting two runs.
 */
export function useStartTask({
  threadId,
  runUnderWay,
  approval,
  onTaken,
  onStarted,
}: Place): UseMutationResult<RunView | undefined, Error, NewTask> {
  const [key, setKey] = useState(() => crypto.randomUUID());
  const navigate = useNavigate();
  const client = useQueryClient();
  const uploaded = useUploads();
  return useMutation<RunView | undefined, Error, NewTask>({
    async mutationFn({ prompt, context, files, bronId, model }) {
      const uploads = await Promise.all(files.map(uploaded));
      const rest =
        runUnderWay === undefined ? uploads : await attachToRun(api, runUnderWay, uploads);
      const said = { words: prompt, ...omitUndefined({ context }) };
      const isChanged =
        approval !== undefined &&
        rest.length === 0 &&
        (await approvalQueue.send([approval.id], () => requestChanges(api, approval, said)));
      if (isChanged) return undefined;
      if (runUnderWay !== undefined && rest.length === 0) {
        const { run, isNewTask } = await api.call("POST /api/runs/:id/messages", {
          params: { id: runUnderWay },
          body: { content: prompt, ...omitUndefined({ context }) },
          idempotencyKey: key,
        });
        return isNewTask ? run : undefined;
      }
      const uploadIds = rest.length === 0 ? undefined : rest.map(({ id }) => id);
      return await api.call("POST /api/runs", {
        body: { prompt, ...omitUndefined({ context, bronId, threadId, model, uploadIds }) },
        idempotencyKey: key,
      });
    },
    onSuccess(run) {
      onTaken();
      setKey(crypto.randomUUID());
      void client.invalidateQueries({ queryKey: ["approvals"] });
      if (!run) return;
      addToThread(client, run);
      if (onStarted) onStarted(run);
      else void navigate({ to: "/threads/$threadId", params: { threadId: run.threadId } });
    },
    // After a rejection the next try is a new task. After a lost response it is the same one.
    onError: (error) =>
      "retryable" in error && error.retryable === false && setKey(crypto.randomUUID()),
  });
}
