import type { DraftView } from "@bron/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../api.ts";
import { queries } from "../live/queries.ts";

/** Deletes a draft that a task left in the mailbox. The page shows at once that it is gone. */
export function useDiscardDraft(runId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (effectId: string) =>
      api.call("POST /api/effects/:id/discard", { params: { id: effectId } }),
    onSuccess: (discarded) =>
      client.setQueryData(queries.drafts(runId).queryKey, (drafts: DraftView[] = []) =>
        drafts.map((draft) => (draft.draftId === discarded.draftId ? discarded : draft)),
      ),
  });
}
