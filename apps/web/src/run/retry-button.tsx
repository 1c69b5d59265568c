import { useState } from "react";
import { api } from "../api.ts";
import { useNavigate } from "@tanstack/react-router";
import { texts } from "../texts.ts";

/** For a run that did not get to its end: the same task again, with what it completed. */
export function RetryButton({ runId }: { readonly runId: string }) {
  const navigate = useNavigate();
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string>();
  const retry = () => {
    setIsBusy(true);
    setError(undefined);
    api.runs.retry(runId).then(
      (run) => void navigate({ to: "/runs/$runId", params: { runId: run.id } }),
      (failure: unknown) => {
        setIsBusy(false);
        setError(failure instanceof Error ? failure.message : String(failure));
      },
    );
  };
  return (
    <>
      <button type="button" disabled={isBusy} title={texts.retryHint} onClick={retry}>
        {isBusy ? texts.beginning : texts.retry}
      </button>
      {error !== undefined && <span role="alert">{error}</span>}
    </>
  );
}
