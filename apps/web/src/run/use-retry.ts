import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api } from "../api.ts";
import { addToThread } from "../live/thread-cache.ts";

/** Retries a run that did not finish everything. The new run reuses the completed steps. */
export function useRetry(runId: string) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => api.call("POST /api/runs/:id/retry", { params: { id: runId } }),
    onSuccess(run) {
      addToThread(client, run);
      void navigate({ to: "/threads/$threadId", params: { threadId: run.threadId } });
    },
  });
}
