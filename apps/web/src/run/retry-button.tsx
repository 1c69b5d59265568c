import { texts } from "../texts.ts";
import { Button } from "../ui/button.tsx";
import { wordsOf } from "../ui/states.tsx";
import { useRetry } from "./use-retry.ts";

export function RetryButton({ runId }: { readonly runId: string }) {
  const retry = useRetry(runId);
  return (
    <span>
      <Button disabled={retry.isPending} title={texts.retryHint} onClick={() => retry.mutate()}>
        {retry.isPending ? texts.starting : texts.retry}
      </Button>
      {retry.error !== null && (
        <span role="alert" className="ml-3 text-sm text-bad">
          {wordsOf(retry.error)}
        </span>
      )}
    </span>
  );
}
