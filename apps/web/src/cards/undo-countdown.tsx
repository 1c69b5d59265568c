import type { ApprovalView } from "@bron/protocol";
import { useMutation } from "@tanstack/react-query";
import { api } from "../api.ts";
import { texts } from "../texts.ts";
import { Button } from "../ui/button.tsx";
import { Problem } from "../ui/states.tsx";
import { useNow } from "../use-now.ts";

interface UndoProps {
  readonly approvalId: string;
  readonly until: string;
  onDone(next: ApprovalView | undefined): void;
}

/** Approved, but not begun: the seconds that are left, and a way back. */
export function UndoCountdown({ approvalId, until, onDone }: UndoProps) {
  const left = Math.max(0, Math.ceil((Date.parse(until) - useNow(true, 250)) / 1_000));
  const undo = useMutation({ mutationFn: () => api.approvals.undo(approvalId), onSuccess: onDone, onError: () => onDone(undefined) });
  if (left === 0 && undo.error === null) return null;
  return (
    <div className="mt-3 flex flex-wrap items-center gap-3">
      {left > 0 && (
        <>
          <span role="timer" className="tabular-nums">
            {texts.approval.beginsIn(left)}
          </span>
          <Button disabled={undo.isPending} onClick={() => undo.mutate()}>
            {texts.approval.undo}
          </Button>
        </>
      )}
      <Problem error={undo.error} />
    </div>
  );
}
