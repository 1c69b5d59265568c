import { useMutation } from "@tanstack/react-query";
import { api } from "../api.ts";
import { Icon } from "../layout/icon.tsx";
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
      <Button
        ref={button}
        isBusy={isBusy}
        aria-label={isBusy ? undefined : texts.stop}
        title={isBusy ? undefined : texts.stop}
        className="shrink-0 rounded-xl px-2.5"
        onClick={() => stop.mutate()}
      >
        {isBusy ? texts.stopping : <Icon path="M7 7h10v10H7z" />}
      </Button>
    </>
  );
}
