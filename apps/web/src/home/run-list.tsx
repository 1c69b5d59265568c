import { visible, type RunView } from "@bron/protocol";
import { Link } from "@tanstack/react-router";
import { texts } from "../texts.ts";
import { Ago } from "../time.tsx";
import { RunBadge } from "../ui/badge.tsx";

/** A list of runs. Child runs are labeled. */
export function RunList({ runs }: { readonly runs: readonly RunView[] }) {
  return (
    <ul className="divide-y divide-edge overflow-hidden rounded-xl border border-edge bg-surface">
      {runs.map((run) => (
        <li key={run.id} className="arrive">
          <Link
            to="/runs/$runId"
            params={{ runId: run.id }}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3 text-ink no-underline -outline-offset-2 hover:bg-raised sm:flex-nowrap"
          >
            <span className="order-3 min-w-0 flex-1 basis-full truncate sm:order-none sm:basis-0">
              {visible(run.title)}
            </span>
            {run.parentRunId !== null && (
              <span
                title={texts.run.subtaskOfAnother}
                className="rounded border border-edge px-1.5 text-xs text-quiet"
              >
                {texts.run.subtask}
              </span>
            )}
            <RunBadge run={run} />
            <span className="ml-auto text-sm text-quiet sm:ml-0">
              <Ago at={run.createdAt} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
