import type { RunView, ThreadView } from "@bron/protocol";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { canRetryRun } from "../run/task-end.tsx";
import { useRetry } from "../run/use-retry.ts";
import { useChangeThread } from "../tasks/use-change-thread.ts";
import { texts } from "../texts.ts";
import { threadsWords } from "../words/threads.ts";
import { Menu } from "../ui/menu.tsx";
import { Problem } from "../ui/states.tsx";
import { RenameDialog } from "./rename-dialog.tsx";
import { useDeleteThread } from "./use-delete-thread.ts";

interface ThreadMenuProps {
  readonly thread: ThreadView;
  readonly last: RunView;
}

/** What can be done with a conversation. */
export function ThreadMenu({ thread, last }: ThreadMenuProps) {
  const [isRenaming, setRenaming] = useState(false);
  const navigate = useNavigate();
  const retry = useRetry(last.id);
  const { ask, dialog, remove } = useDeleteThread(() => void navigate({ to: "/tasks" }));
  const changes = useChangeThread((change) => {
    if (change === "archive") void navigate({ to: "/tasks" });
  });
  const pin = thread.pinnedAt === null ? "pin" : "unpin";
  const archive = thread.archivedAt === null ? "archive" : "unarchive";
  const error = remove.error ?? retry.error ?? changes.error;
  return (
    <>
      <Menu
        label={threadsWords.menu}
        items={[
          { name: threadsWords.rename, run: () => setRenaming(true) },
          { name: texts.tasks[pin], run: () => changes.change(thread, pin) },
          { name: texts.tasks[archive], run: () => changes.change(thread, archive) },
          { name: threadsWords.export, href: `/api/threads/${thread.id}/export` },
          ...(canRetryRun(last) ? [{ name: texts.retry, run: () => retry.mutate() }] : []),
          { name: threadsWords.delete, isDanger: true, run: () => ask(thread) },
        ]}
      />
      <RenameDialog thread={isRenaming ? thread : undefined} onClose={() => setRenaming(false)} />
      {dialog}
      {error !== null && (
        <div className="absolute inset-x-4 top-full mx-auto max-w-3xl">
          <Problem error={error} />
        </div>
      )}
    </>
  );
}
