import { visible, type ThreadView, omitUndefined } from "@bron/protocol";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { threadsWords } from "../words/threads.ts";
import { RenameDialog } from "../threads/rename-dialog.tsx";
import { useDeleteThread } from "../threads/use-delete-thread.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { Menu } from "../ui/menu.tsx";
import { Page, pageHeading } from "../ui/page.tsx";
import { Problem } from "../ui/states.tsx";
import type { TasksSearch } from "../search.ts";
import { FilterChips } from "./filter-chips.tsx";
import { NoTasks } from "./no-tasks.tsx";
import { SearchField } from "./search-field.tsx";
import { SkeletonRows } from "./skeleton-rows.tsx";
import { TaskList } from "./task-list.tsx";
import { TaskRow } from "./task-row.tsx";
import { useChangeThread } from "./use-change-thread.ts";

/** All conversations: found by a word, by what they need, or in the archive. */
export function TasksPage() {
  const { q: words = "", show } = useSearch({ from: "/tasks" });
  const navigate = useNavigate();
  const threads = useInfiniteQuery({
    ...queries.threads({ words, ...omitUndefined({ show }) }),
    placeholderData: keepPreviousData,
  });
  const [renamed, setRenamed] = useState<ThreadView>();
  const removal = useDeleteThread(() => pageHeading()?.focus());
  const changes = useChangeThread();
  const go = (next: TasksSearch) => void navigate({ to: "/tasks", search: next, replace: true });
  const all = threads.data?.pages.flatMap((page) => page.threads) ?? [];
  const removed = removal.remove.isSuccess
    ? threadsWords.deleted(visible(removal.remove.variables.title))
    : undefined;
  return (
    <Page title={texts.places.tasks}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <SearchField
          words={words}
          onSearch={(q) => go({ ...(q === "" ? {} : { q }), ...(show && { show }) })}
        />
        <FilterChips
          show={show}
          onChange={(next) =>
            go({ ...(words === "" ? {} : { q: words }), ...(next && { show: next }) })
          }
        />
      </div>
      <p role="status" className="sr-only">
        {threads.isPlaceholderData || words === ""
          ? (changes.done ?? removed)
          : texts.tasks.found(all.length, threads.hasNextPage)}
      </p>
      <Failure words={texts.tasks.notChanged} error={changes.error} />
      <Failure words={threadsWords.notDeleted} error={removal.remove.error} />
      <Problem error={threads.error} onRetry={() => void threads.refetch()} />
      <div
        aria-busy={threads.isPlaceholderData}
        className={cx("mt-4 transition-opacity", threads.isPlaceholderData && "opacity-60")}
      >
        {threads.isPending && <SkeletonRows />}
        {threads.data && all.length === 0 && <NoTasks words={words} show={show} />}
        {all.length > 0 && (
          <TaskList label={texts.tasks.list}>
            {all.map((thread) => (
              <TaskRow
                key={thread.id}
                thread={thread}
                words={words}
                menu={
                  <RowMenu
                    thread={thread}
                    onRename={() => setRenamed(thread)}
                    onChange={changes.change}
                    onDelete={() => removal.ask(thread)}
                  />
                }
              />
            ))}
          </TaskList>
        )}
      </div>
      {threads.hasNextPage && (
        <Button
          className="mt-4"
          isBusy={threads.isFetchingNextPage}
          onClick={() => void threads.fetchNextPage()}
        >
          {threads.isFetchingNextPage ? texts.loading : texts.tasks.more}
        </Button>
      )}
      <RenameDialog thread={renamed} onClose={() => setRenamed(undefined)} />
      {removal.dialog}
    </Page>
  );
}

interface RowMenuProps {
  readonly thread: ThreadView;
  onRename(): void;
  onChange: ReturnType<typeof useChangeThread>["change"];
  onDelete(): void;
}

function RowMenu({ thread, onRename, onChange, onDelete }: RowMenuProps) {
  const pin = thread.pinnedAt === null ? "pin" : "unpin";
  const archive = thread.archivedAt === null ? "archive" : "unarchive";
  return (
    <Menu
      label={texts.tasks.menu(visible(thread.title))}
      items={[
        { name: threadsWords.rename, run: onRename },
        { name: texts.tasks[pin], run: () => onChange(thread, pin) },
        { name: texts.tasks[archive], run: () => onChange(thread, archive) },
        { name: threadsWords.export, href: `/api/threads/${thread.id}/export` },
        { name: threadsWords.delete, isDanger: true, run: onDelete },
      ]}
    />
  );
}

function Failure({ words, error }: { readonly words: string; readonly error: unknown }) {
  if (error === null) return null;
  return (
    <div className="mt-3">
      <p className="text-sm text-bad">{words}</p>
      <Problem error={error} />
    </div>
  );
}
