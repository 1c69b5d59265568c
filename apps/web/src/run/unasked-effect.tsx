import { describeReasons } from "@bron/protocol";
import { useMutation } from "@tanstack/react-query";
import { api } from "../api.ts";
import { texts } from "../texts.ts";
import { Button } from "../ui/button.tsx";
import { Problem } from "../ui/states.tsx";
import { useNow } from "../use-now.ts";
import { actionWords } from "../words/action.ts";
import type { UnaskedItem } from "./item.ts";

/** Why something leaves without an approval. Until it starts, the owner can undo it. */
export function UnaskedEffect({ item }: { readonly item: UnaskedItem }) {
  const { tool, preview, reasons, state, undoUntil } = item;
  const words = actionWords(tool);
  const why = describeReasons(reasons, texts.approval.reasons);
  if (state === "approved" && undoUntil !== undefined)
    return <Undoable item={item} undoUntil={undoUntil} why={why} />;
  return (
    <p className="py-0.5 text-sm text-quiet wrap-anywhere">
      {state === "rejected" || state === "canceled"
        ? `${preview} ${words.nothingDone}`
        : words.unasked(why)}
    </p>
  );
}

function Undoable({
  item: { key: effectId, tool, preview },
  undoUntil,
  why,
}: {
  readonly item: UnaskedItem;
  readonly undoUntil: number;
  readonly why: string;
}) {
  const secondsLeft = Math.max(0, Math.ceil((undoUntil - useNow(true, 250)) / 1_000));
  const undo = useMutation({
    mutationFn: () => api.call("POST /api/effects/:id/undo", { params: { id: effectId } }),
  });
  return (
    <section
      aria-label={preview}
      className="grid gap-2 rounded-xl border border-edge bg-surface px-4 py-3"
    >
      <p className="font-medium wrap-anywhere">{preview}</p>
      <p className="text-sm text-quiet wrap-anywhere">{actionWords(tool).goesUnasked(why)}</p>
      {secondsLeft > 0 && (
        <div className="flex flex-wrap items-center gap-3">
          <span role="timer" className="tabular-nums">
            {actionWords(tool).startsIn(secondsLeft)}
          </span>
          <Button isBusy={undo.isPending || undo.isSuccess} onClick={() => undo.mutate()}>
            {texts.approval.undo}
          </Button>
        </div>
      )}
      <Problem error={undo.error} />
    </section>
  );
}
