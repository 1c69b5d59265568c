import { visible, webStatusOf, type RunView } from "@bron/protocol";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { Time } from "../time.tsx";
import { StatusBadge } from "../ui/badge.tsx";
import { useTitle } from "../ui/page.tsx";
import { Loading, Problem } from "../ui/states.tsx";
import { Composer } from "./composer.tsx";
import { Welcome } from "./welcome.tsx";

/** Give a task, and see what became of the last ones. */
export function HomePage() {
  useTitle(texts.places.chat);
  const runs = useQuery(queries.runs({ limit: 20 }));
  const { data: about } = useQuery(queries.about());
  const isFirst = runs.data?.length === 0;
  return (
    <div className="mx-auto w-full max-w-3xl px-4 py-8 sm:px-6 sm:py-12">
      <h1 className="mb-6 text-center text-3xl font-semibold tracking-tight sm:text-4xl">{texts.composerLabel}</h1>
      <Composer suggestions={about?.suggestions ?? []} />
      {isFirst && <Welcome isDemo={about?.demoMail === true} />}
      {runs.isPending && <Loading />}
      <Problem error={runs.error} onRetry={() => void runs.refetch()} />
      {runs.data && runs.data.length > 0 && (
        <section aria-labelledby="recent" className="mt-10">
          <h2 id="recent" className="mb-2 text-sm font-semibold text-quiet">
            {texts.recent}
          </h2>
          <RunList runs={runs.data} />
        </section>
      )}
    </div>
  );
}

/** Runs, one to a line. */
export function RunList({ runs }: { readonly runs: readonly RunView[] }) {
  return (
    <ul className="divide-y divide-edge overflow-hidden rounded-xl border border-edge bg-surface">
      {runs.map((run) => (
        <li key={run.id}>
          <Link to="/runs/$runId" params={{ runId: run.id }} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3 text-ink no-underline hover:bg-raised sm:flex-nowrap">
            <span className="order-3 min-w-0 flex-1 basis-full truncate sm:order-none sm:basis-0">{visible(run.title)}</span>
            <StatusBadge status={webStatusOf[run.status]} />
            <span className="ml-auto text-sm text-quiet sm:ml-0">
              <Time at={run.createdAt} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
