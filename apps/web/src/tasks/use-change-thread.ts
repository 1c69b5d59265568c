import { visible, type ThreadView } from "@bron/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../api.ts";
import { texts } from "../texts.ts";

type ThreadChange = "pin" | "unpin" | "archive" | "unarchive";

const bodies = {
  pin: { pinned: true },
  unpin: { pinned: false },
  archive: { archived: true },
  unarchive: { archived: false },
} as const;

/** Pins and archives conversations. `done` says what was changed last. */
export function useChangeThread(onChanged?: (change: ThreadChange) => void) {
  const client = useQueryClient();
  const { mutate, data, error } = useMutation({
    async mutationFn({ thread, change }: { thread: ThreadView; change: ThreadChange }) {
      await api.call("PATCH /api/threads/:id", {
        params: { id: thread.id },
        body: bodies[change],
      });
      return texts.tasks.did[change](visible(thread.title));
    },
    onSuccess: (_, { change }) => onChanged?.(change),
    onSettled: () => client.invalidateQueries({ queryKey: ["threads"] }),
  });
  return {
    change: (thread: ThreadView, change: ThreadChange) => mutate({ thread, change }),
    done: data,
    error,
  };
}
