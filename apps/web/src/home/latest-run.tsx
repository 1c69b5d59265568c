import { describeFailure, visible, type RunView } from "@bron/protocol";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { Ago } from "../time.tsx";
import { RunBadge } from "../ui/badge.tsx";
import { cardLine } from "../words/tools.ts";

/** The latest task with its status and its last message or card. */
export function LatestRun({ run }: { readonly run: RunView }) {
  const { data: bron } = useQuery(queries.bron(run.bronId));
  const card =
    bron?.latestRun?.id === run.id && bron.latestCard ? cardLine(bron.latestCard) : undefined;
  const last =
    (run.error ? describeFailure(run.error, texts.cards.failures) : undefined) ??
    run.summary ??
    card ??
    "";
  return (
    <section aria-labelledby="latest" className="mt-10">
      <h2 id="latest" className="m-0 mb-2 text-sm font-semibold text-quiet">
        {texts.latest}
      </h2>
      <Link
        to="/runs/$runId"
        params={{ runId: run.id }}
        className="block rounded-xl border border-edge bg-surface p-4 text-ink no-underline hover:border-accent"
      >
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <RunBadge run={run} />
          <span className="text-sm text-quiet">
            <Ago at={run.createdAt} />
          </span>
        </span>
        <span className="mt-2 line-clamp-2 font-medium wrap-anywhere">{visible(run.title)}</span>
        {last !== "" && (
          <span className="mt-1 line-clamp-2 text-sm text-quiet wrap-anywhere">
            {visible(last)}
          </span>
        )}
      </Link>
    </section>
  );
}
