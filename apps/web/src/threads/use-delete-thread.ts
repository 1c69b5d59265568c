import { isTerminal, visible, type ThreadView } from "@bron/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../api.ts";
import { texts } from "../texts.ts";
import { useConfirm } from "../ui/use-confirm.tsx";

/** Deletes a conversation, once the owner has confirmed it. */
export function useDeleteThread(onDeleted: () => void) {
  const client = useQueryClient();
  const confirm = useConfirm();
  const remove = useMutation({
    mutationFn: ({ id }: ThreadView) => api.call("DELETE /api/threads/:id", { params: { id } }),
    onSuccess: onDeleted,
    onSettled: () =>
      Promise.all(
        [["threads", "list"], ["runs"], ["brons"], ["bron"], ["approvals"]].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      ),
  });
  const ask = (thread: ThreadView) => {
    const isWorking = !isTerminal(thread.status);
    const tasks = texts.threads.tasks(thread.runCount);
    confirm.ask({
      title: texts.threads.deleteTitle,
      words: texts.threads.deleteHint(visible(thread.title), tasks, isWorking),
      yes: isWorking ? texts.threads.stopAndDelete : texts.threads.deleteYes,
      onYes: () => remove.mutate(thread),
    });
  };
  return { ask, dialog: confirm.dialog, remove };
}
