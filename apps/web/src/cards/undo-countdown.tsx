import type { ApprovalView } from "@bron/protocol";
import { useMutation } from "@tanstack/react-query";
import { api } from "../api.ts";
import { texts } from "../texts.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { Problem } from "../ui/states.tsx";
import { useFocusAfter } from "../ui/use-focus-after.ts";
import { useNow } from "../use-now.ts";
import { actionWords } from "../words/action.ts";
import { undoUntilOf } from "./undo-until.ts";

interface UndoProps {
  readonly approval: Pick<
    ApprovalView,
    "id" | "tool" | "state" | "undoUntil" | "reopenUntil" | "decidedAt"
  >;
  /** Names the approval where the page has several, each in a line. */
  readonly what?: string;
  onDone(next: ApprovalView | undefined): void;
}

/** Counts down until the run acts on a choice, and offers to undo it. */
export function UndoCountdown({ approval, what, onDone }: UndoProps) {
  const { id, tool, state, decidedAt } = approval;
  const until = undoUntilOf(approval);
  const now = useNow(until !== undefined, 250);
  const undo = useMutation({
    mutationFn: () => api.call("POST /api/approvals/:id/undo", { params: { id } }),
    onSuccess: onDone,
    onError: () => onDone(undefined),
  });
  const leftMs = Math.max(0, (until ?? 0) - now);
  const secondsLeft = Math.ceil(leftMs / 1_000);
  if (secondsLeft === 0 && undo.error === null) return null;
  const totalMs = Math.max(1, (until ?? 0) - Date.parse(decidedAt ?? ""));
  return (
    <div className={cx("flex flex-wrap items-center gap-3", what === undefined && "mt-3")}>
      {secondsLeft > 0 && (
        <>
          <span role="timer" className="inline-flex items-center gap-2 tabular-nums">
            <Ring seconds={secondsLeft} share={Math.min(1, leftMs / totalMs)} />
            {state === "denied"
              ? texts.approval.deniedFor(secondsLeft)
              : actionWords(tool).startsIn(secondsLeft)}
          </span>
          <UndoButton what={what} isBusy={undo.isPending} onUndo={() => undo.mutate()} />
        </>
      )}
      <Problem error={undo.error} />
    </div>
  );
}

const radius = 10;
const length = 2 * Math.PI * radius;

/** The part of the seconds that is left. The text beside it says the same. */
function Ring({ seconds, share }: { readonly seconds: number; readonly share: number }) {
  return (
    <span aria-hidden="true" className="relative inline-grid size-7 place-items-center">
      <svg viewBox="0 0 24 24" fill="none" className="absolute inset-0 -rotate-90">
        <circle cx="12" cy="12" r={radius} strokeWidth="2" className="stroke-edge" />
        <circle
          cx="12"
          cy="12"
          r={radius}
          strokeWidth="2"
          strokeLinecap="round"
          strokeDasharray={length}
          strokeDashoffset={length * (1 - share)}
          className="stroke-accent transition-[stroke-dashoffset] duration-250 ease-linear"
        />
      </svg>
      <span data-seconds={seconds} className="text-xs before:content-[attr(data-seconds)]" />
    </span>
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
