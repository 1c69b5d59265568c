import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api } from "../api.ts";
import { texts } from "../texts.ts";
import { Button } from "../ui/button.tsx";
import { wordsOf } from "../ui/states.tsx";

/** For a run that did not get to its end: the same task again, with what it completed. */
export function RetryButton({ runId }: { readonly runId: string }) {
  const navigate = useNavigate();
  const retry = useMutation({
    mutationFn: () => api.runs.retry(runId),
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
        {retry.isPending ? texts.beginning : texts.retry}
      </Button>
    </>
  );
}
