import type { ApprovalView } from "@bron/protocol";
import { useMutation } from "@tanstack/react-query";
import { api } from "../api.ts";
import { texts } from "../texts.ts";
import { Button } from "../ui/button.tsx";
import { Problem } from "../ui/states.tsx";
import { useFocusAfter } from "../ui/use-focus-after.ts";
import { useNow } from "../use-now.ts";
import { actionWords } from "../words/action.ts";

interface UndoProps {
  readonly approvalId: string;
  readonly tool: string;
  readonly until: string;
  /** Names the approval where the page has several. */
  readonly what?: string;
  onDone(next: ApprovalView | undefined): void;
}

/** Counts down until an approved effect starts, and offers to undo the approval. */
export function UndoCountdown({ approvalId, tool, until, what, onDone }: UndoProps) {
  const secondsLeft = Math.max(0, Math.ceil((Date.parse(until) - useNow(true, 250)) / 1_000));
  const undo = useMutation({
    mutationFn: () => api.call("POST /api/approvals/:id/undo", { params: { id: approvalId } }),
    onSuccess: onDone,
    onError: () => onDone(undefined),
  });
  if (secondsLeft === 0 && undo.error === null) return null;
  return (
    <div className="mt-3 flex flex-wrap items-center gap-3">
      {secondsLeft > 0 && (
        <>
          <span role="timer" className="tabular-nums">
            {actionWords(tool).startsIn(secondsLeft)}
          </span>
          <UndoButton what={what} isBusy={undo.isPending} onUndo={() => undo.mutate()} />
        </>
      )}
      <Problem error={undo.error} />
    </div>
  );
}

function UndoButton({
  what,
  isBusy,
  onUndo,
}: {
  readonly what: string | undefined;
  readonly isBusy: boolean;
  readonly onUndo: () => void;
}) {
  // The element around the button shows the outcome of the approval.
  const button = useFocusAfter<HTMLButtonElement>((container) => container);
  return (
    <Button
      ref={button}
      isBusy={isBusy}
      aria-label={what === undefined ? undefined : texts.approval.undoOf(what)}
      onClick={onUndo}
    >
      {texts.approval.undo}
    </Button>
  );
}
