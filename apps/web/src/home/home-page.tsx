import { useQuery } from "@tanstack/react-query";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { useTitle } from "../ui/page.tsx";
import { Loading, Problem } from "../ui/states.tsx";
import { Composer } from "./composer.tsx";
import { LatestRun } from "./latest-run.tsx";
import { RunList } from "./run-list.tsx";
import { Welcome } from "./welcome.tsx";

/** More than are shown, because subtasks are filtered out. */
const maxFetched = 50;
const maxShown = 20;

/** The composer and the latest tasks. */
export function HomePage() {
  useTitle(texts.places.home);
  const runs = useQuery(queries.runs({ limit: maxFetched }));
  const about = useQuery(queries.about());
  const [latest, ...others] = (runs.data ?? [])
    .filter(({ parentRunId }) => parentRunId === null)
    .slice(0, maxShown);
  return (
    <div className="mx-auto w-full max-w-3xl px-4 py-8 sm:px-6 sm:py-12">
      <h1 className="mb-6 text-center text-3xl font-semibold tracking-tight sm:text-4xl">
        {texts.composerLabel}
      </h1>
      <Composer suggestions={about.data?.suggestions ?? []} />
      <Problem error={about.error} onRetry={() => void about.refetch()} />
      {runs.data?.length === 0 && <Welcome isDemo={about.data?.demoMail === true} />}
      {runs.isPending && <Loading />}
      <Problem error={runs.error} onRetry={() => void runs.refetch()} />
      {latest && <LatestRun run={latest} />}
      {others.length > 0 && (
        <section aria-labelledby="recent" className="mt-8">
          <h2 id="recent" className="m-0 mb-2 text-sm font-semibold text-quiet">
            {texts.recent}
          </h2>
          <RunList runs={others} />
        </section>
      )}
    </div>
  );
}
