import { Link } from "@tanstack/react-router";
import type { TaskFilter } from "../search.ts";
import { texts } from "../texts.ts";
import { buttonClass } from "../ui/button.tsx";
import { Empty } from "../ui/states.tsx";

interface NoTasksProps {
  readonly words: string;
  readonly show: TaskFilter | undefined;
}

/** Why the list is empty, and what to do. */
export function NoTasks({ words, show }: NoTasksProps) {
  if (words !== "")
    return (
      <Empty title={texts.tasks.nothingFound(words)}>
        <p>{texts.tasks.nothingFoundHint}</p>
        <Link
          to="/tasks"
          search={show === undefined ? { q: words, show: "archived" } : { q: words }}
          className={`${buttonClass()} mt-4`}
        >
          {show === undefined ? texts.tasks.searchArchive : texts.tasks.showAll}
        </Link>
      </Empty>
    );
  if (show === "archived")
    return <Empty title={texts.tasks.noneArchived}>{texts.tasks.noneArchivedHint}</Empty>;
  if (show !== undefined)
    return (
      <Empty title={texts.tasks.noneIn}>
        <Link to="/tasks" className={`${buttonClass()} mt-2`}>
          {texts.tasks.showAll}
        </Link>
      </Empty>
    );
  return (
    <Empty title={texts.tasks.none}>
      <p>{texts.tasks.noneHint}</p>
      <Link to="/" className={`${buttonClass("main")} mt-4`}>
        {texts.places.home}
      </Link>
    </Empty>
  );
}
