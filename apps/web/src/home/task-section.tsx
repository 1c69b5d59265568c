import type { ThreadView } from "@bron/protocol";
import { Link } from "@tanstack/react-router";
import { useId } from "react";
import { TaskList } from "../tasks/task-list.tsx";
import { TaskRow } from "../tasks/task-row.tsx";
import { texts } from "../texts.ts";

interface TaskSectionProps {
  readonly title: string;
  readonly threads: readonly ThreadView[];
  /** Leads to all tasks. */
  readonly hasLink?: boolean;
}

/** Some tasks under a heading, if there are any. */
export function TaskSection({ title, threads, hasLink = false }: TaskSectionProps) {
  const heading = useId();
  if (threads.length === 0) return null;
  return (
    <section aria-labelledby={heading} className="mt-8">
      <div className="mb-2 flex items-baseline justify-between gap-3">
        <h2 id={heading} className="m-0 text-sm font-semibold text-quiet">
          {title}
        </h2>
        {hasLink && (
          <Link
            to="/tasks"
            className="text-sm text-quiet no-underline hover:text-ink hover:underline"
          >
            {texts.home.allTasks}
          </Link>
        )}
      </div>
      <TaskList label={title}>
        {threads.map((thread) => (
          <TaskRow key={thread.id} thread={thread} />
        ))}
      </TaskList>
    </section>
  );
}
