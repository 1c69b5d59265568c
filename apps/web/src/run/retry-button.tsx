import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api } from "../api.ts";
import { texts } from "../texts.ts";
import { Button } from "../ui/button.tsx";
import { wordsOf } from "../ui/states.tsx";

/** Retries a run that did not finish everything. The new run reuses the completed steps. */
export function RetryButton({ runId }: { readonly runId: string }) {
  const navigate = useNavigate();
  const retry = useMutation({
    mutationFn: () => api.call("POST /api/runs/:id/retry", { params: { id: runId } }),
    onSuccess: ({ id }) => void navigate({ to: "/runs/$runId", params: { runId: id } }),
  });
  return (
    <>
      {retry.error !== null && (
        <span role="alert" className="text-sm text-bad">
          {wordsOf(retry.error)}
        </span>
      )}
      <Button disabled={retry.isPending} title={texts.retryHint} onClick={() => retry.mutate()}>
        {retry.isPending ? texts.starting : texts.retry}
      </Button>
    </>
  );
}
