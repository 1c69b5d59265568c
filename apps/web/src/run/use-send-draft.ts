import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../api.ts";
import { addToThread } from "../live/thread-cache.ts";
import { texts } from "../texts.ts";
import type { DraftCard } from "./task-sections.ts";

/** Asks Bron to send a draft, as the next task of its conversation. Sending needs the owner's approval as usual. */
export function useSendDraft(runId: string, { subject, to }: Pick<DraftCard, "subject" | "to">) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () =>
      api.call("POST /api/runs/:id/messages", {
        params: { id: runId },
        body: { content: texts.run.sendDraftTask(subject, to) },
        idempotencyKey: `send-draft-${crypto.randomUUID()}`,
      }),
    onSuccess: ({ run, isNewTask }) => void (isNewTask && addToThread(client, run)),
  });
}
