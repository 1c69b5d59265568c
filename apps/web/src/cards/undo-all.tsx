import { useMutation, useQueries, useQueryClient } from "@tanstack/react-query";
import { api } from "../api.ts";
import { queries } from "../live/queries.ts";
import { inboxWords } from "../words/inbox.ts";
import { Button } from "../ui/button.tsx";
import { Problem } from "../ui/states.tsx";
import { useFocusAfter } from "../ui/use-focus-after.ts";
import { useNow } from "../use-now.ts";
import { undoUntilOf } from "./undo-until.ts";

/** Undoes every one of these choices that the run has not acted on. Each shows its own result. */
export function UndoAll({ ids }: { readonly ids: readonly string[] }) {
  const client = useQueryClient();
  const now = useNow(true, 250);
  const approvals = useQueries({ queries: ids.map((id) => queries.approval(id)) });
  const open = approvals.flatMap(({ data }) =>
    data && (undoUntilOf(data) ?? 0) > now ? [data.id] : [],
  );
  const undo = useMutation({
    mutationFn: async () => {
      const results = await Promise.allSettled(
        open.map((id) => api.call("POST /api/approvals/:id/undo", { params: { id } })),
      );
      const rejected = results.find(({ status }) => status === "rejected");
      if (rejected?.status === "rejected") throw rejected.reason;
    },
    onSettled: () => void client.invalidateQueries({ queryKey: ["approvals"] }),
  });
  return (
    <>
      {open.length > 1 && <UndoAllButton isBusy={undo.isPending} onUndo={() => undo.mutate()} />}
      <Problem error={undo.error} />
    </>
  );
}

function UndoAllButton({
  isBusy,
  onUndo,
}: {
  readonly isBusy: boolean;
  readonly onUndo: () => void;
}) {
  const button = useFocusAfter<HTMLButtonElement>((container) =>
    container?.querySelector<HTMLElement>("li"),
  );
  return (
    <Button ref={button} isBusy={isBusy} onClick={onUndo}>
      {inboxWords.undoAll}
    </Button>
  );
}
