import { groupApprovals, visible, type ThreadView } from "@bron/protocol";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { approvalLine, groupLine } from "../approvals/approval-line.ts";
import { queries } from "../live/queries.ts";
import { TaskList } from "../tasks/task-list.tsx";
import { TaskRow } from "../tasks/task-row.tsx";
import { texts } from "../texts.ts";
import { Ago } from "../time.tsx";

const maxShown = 6;

/**
 * Approvals and questions by what they are about, and tasks that need something else of the owner,
 * such as an account.
 */
export function NeedsYou({ threads }: { readonly threads: readonly ThreadView[] }) {
  const { data: approvals = [] } = useQuery(queries.pendingApprovals());
  const { data: questions = [] } = useQuery(queries.pendingQuestions());
  const asked: readonly Asked[] = [
    ...questions.map(({ id, runId, text, createdAt }) => ({
      id,
      runId,
      what: visible(text),
      state: texts.status.needs_answer,
      createdAt,
    })),
    ...groupApprovals(approvals).flatMap((group) => {
      const [first, ...others] = group;
      if (!first) return [];
      const { id, runId, createdAt } = first;
      const what = others.length === 0 ? approvalLine(first) : groupLine(group);
      return [{ id, runId, what, state: texts.status.needs_approval, createdAt }];
    }),
  ];
  const others = threads.filter(({ pendingCount }) => pendingCount === 0);
  if (asked.length + others.length === 0) return null;
  return (
    <section aria-labelledby="needs-you" className="mt-8">
      <h2 id="needs-you" className="m-0 mb-2 text-sm font-semibold text-quiet">
        {texts.home.needsYou}
      </h2>
      <TaskList label={texts.home.needsYou}>
        {asked.slice(0, maxShown).map((one) => (
          <AskedRow key={one.id} asked={one} />
        ))}
        {others.slice(0, maxShown).map((thread) => (
          <TaskRow key={thread.id} thread={thread} />
        ))}
      </TaskList>
      {asked.length > maxShown && (
        <Link to="/approvals" className="mt-2 inline-block text-sm">
          {texts.home.allWaiting(asked.length)}
        </Link>
      )}
    </section>
  );
}

interface Asked {
  readonly id: string;
  readonly runId: string;
  readonly what: string;
  readonly state: string;
  readonly createdAt: string;
}

/** Opens the place in the conversation where the owner decides or answers. */
function AskedRow({ asked: { runId, what, state, createdAt } }: { readonly asked: Asked }) {
  const { data: run } = useQuery(queries.run(runId));
  return (
    <li className="relative flex items-center gap-3 border-l-3 border-l-ask-edge px-3 py-2.5 transition-colors first:rounded-t-xl last:rounded-b-xl hover:bg-raised sm:px-4">
      <div className="min-w-0 flex-1">
        <Link
          to="/runs/$runId"
          params={{ runId }}
          data-row
          className="line-clamp-2 font-medium wrap-anywhere text-ink no-underline outline-none after:absolute after:inset-0 after:rounded-[inherit] focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
        >
          {what}
        </Link>
        <p className="mt-0.5 flex min-w-0 gap-2 text-sm text-quiet">
          <span className="shrink-0 font-medium text-ink">{state}</span>
          <span className="truncate">{run && visible(run.title)}</span>
        </p>
      </div>
      <span className="shrink-0 text-xs whitespace-nowrap text-quiet">
        <Ago at={createdAt} />
      </span>
    </li>
  );
}
