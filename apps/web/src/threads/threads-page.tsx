import { visible, type ThreadView } from "@bron/protocol";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { Page, pageHeading } from "../ui/page.tsx";
import { Empty, Loading, Problem } from "../ui/states.tsx";
import { ThreadRow } from "./thread-row.tsx";
import { RenameDialog } from "./rename-dialog.tsx";
import { useDeleteThread } from "./use-delete-thread.ts";

/** All conversations, newest activity first. */
export function ThreadsPage() {
  const threads = useInfiniteQuery(queries.threads());
  const [renamed, setRenamed] = useState<ThreadView>();
  const { ask, dialog, remove } = useDeleteThread(() => pageHeading()?.focus());
  const all = threads.data?.pages.flatMap((page) => page.threads) ?? [];
  return (
    <Page title={texts.places.threads} about={texts.threads.about}>
      {threads.isPending && <Loading />}
      <Problem error={threads.error} onRetry={() => void threads.refetch()} />
      <p role="status" className="sr-only">
        {remove.isSuccess ? texts.threads.deleted(visible(remove.variables.title)) : ""}
      </p>
      {remove.error !== null && (
        <div>
          <p className="text-sm text-bad">{texts.threads.notDeleted}</p>
          <Problem error={remove.error} />
        </div>
      )}
      {threads.data && all.length === 0 && (
        <Empty title={texts.threads.none}>
          <p>{texts.threads.noneHint}</p>
          <Link to="/" className={`${buttonClass("main")} mt-4`}>
            {texts.places.home}
          </Link>
        </Empty>
      )}
      {all.length > 0 && (
        <ul
          aria-label={texts.threads.list}
          className="divide-y divide-edge overflow-hidden rounded-xl border border-edge bg-surface"
        >
          {all.map((thread) => (
            <ThreadRow
              key={thread.id}
              thread={thread}
              onRename={() => setRenamed(thread)}
              onDelete={() => ask(thread)}
            />
          ))}
        </ul>
      )}
      {threads.hasNextPage && (
        <Button
          className="mt-4"
          isBusy={threads.isFetchingNextPage}
          onClick={() => void threads.fetchNextPage()}
        >
          {threads.isFetchingNextPage ? texts.loading : texts.more}
        </Button>
      )}
      <RenameDialog thread={renamed} onClose={() => setRenamed(undefined)} />
      {dialog}
    </Page>
  );
}
