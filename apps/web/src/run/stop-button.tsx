import { useMutation } from "@tanstack/react-query";
import { api } from "../api.ts";
import { texts } from "../texts.ts";
import { Button } from "../ui/button.tsx";
import { wordsOf } from "../ui/states.tsx";
import { useFocusAfter } from "../ui/use-focus-after.ts";

interface StopButtonProps {
  readonly runId: string;
  readonly isStopping: boolean;
}

export function StopButton({ runId, isStopping }: StopButtonProps) {
  const button = useFocusAfter<HTMLButtonElement>((container) =>
    container?.querySelector<HTMLElement>("header [role=status]"),
  );
  const stop = useMutation({
    mutationFn: () => api.call("POST /api/runs/:id/cancel", { params: { id: runId } }),
  });
  const isBusy = isStopping || stop.isPending;
  return (
    <>
      {stop.error !== null && (
        <span role="alert" className="text-sm text-bad">
          {texts.notStopped} {wordsOf(stop.error)}
        </span>
      )}
      <Button ref={button} isBusy={isBusy} onClick={() => stop.mutate()}>
        {isBusy ? texts.stopping : texts.stop}
      </Button>
    </>
  );
}
