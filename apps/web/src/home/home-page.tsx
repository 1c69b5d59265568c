import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { NeedsYou } from "../layout/lazy-components.ts";
import { queries } from "../live/queries.ts";
import { SkeletonRows } from "../tasks/skeleton-rows.tsx";
import { texts } from "../texts.ts";
import { useTitle } from "../ui/page.tsx";
import { Problem } from "../ui/states.tsx";
import { Composer } from "./composer.tsx";
import { TaskSection } from "./task-section.tsx";
import { Welcome } from "./welcome.tsx";

const maxRecent = 8;

/** The composer, what waits for the owner, what runs, and the latest tasks. */
export function HomePage() {
  useTitle(texts.places.home);
  const latest = useInfiniteQuery(queries.threads());
  const needing = useInfiniteQuery(queries.threads({ show: "needs_you" }));
  const working = useInfiniteQuery(queries.threads({ show: "working" }));
  const about = useQuery(queries.about());
  const threadsOf = ({ data }: typeof latest) => data?.pages.flatMap((page) => page.threads) ?? [];
  const [all, waiting, running] = [latest, needing, working].map(threadsOf) as [
    ReturnType<typeof threadsOf>,
    ReturnType<typeof threadsOf>,
    ReturnType<typeof threadsOf>,
  ];
  const above = new Set([...waiting, ...running].map(({ id }) => id));
  const recent = all.filter(({ id }) => !above.has(id)).slice(0, maxRecent);
  const isFirst = latest.data !== undefined && all.length === 0;
  return (
    <div className="mx-auto w-full max-w-3xl px-4 py-8 sm:px-6 sm:py-12">
      <h1 className="mb-6 text-center text-3xl font-semibold tracking-tight sm:text-4xl">
        {texts.composerLabel}
      </h1>
      <Composer
        suggestions={latest.isPending ? [] : (about.data?.suggestions ?? [])}
        foldsSuggestions={!isFirst}
        takesFocus
      />
      <Problem error={about.error} onRetry={() => void about.refetch()} />
      {isFirst && <Welcome about={about.data} />}
      {latest.isPending && (
        <div className="mt-8">
          <SkeletonRows />
        </div>
      )}
      <Problem error={latest.error} onRetry={() => void latest.refetch()} />
      {waiting.length > 0 && (
        <Suspense fallback={null}>
          <NeedsYou threads={waiting} />
        </Suspense>
      )}
      <TaskSection title={texts.home.running} threads={running} />
      <TaskSection title={texts.home.recent} threads={recent} hasLink />
    </div>
  );
}
