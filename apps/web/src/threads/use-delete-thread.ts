import { isTerminal, visible, type ThreadView } from "@bron/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../api.ts";
import { threadsWords } from "../words/threads.ts";
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
    const tasks = threadsWords.tasks(thread.runCount);
    confirm.ask({
      title: threadsWords.deleteTitle,
      words: threadsWords.deleteHint(visible(thread.title), tasks, isWorking),
      yes: isWorking ? threadsWords.stopAndDelete : threadsWords.deleteYes,
      onYes: () => remove.mutate(thread),
    });
  };
  return { ask, dialog: confirm.dialog, remove };
}
