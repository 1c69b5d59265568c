import { ClientError } from "@bron/client";
import { useQuery } from "@tanstack/react-query";
import { Navigate, useParams, useSearch } from "@tanstack/react-router";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { MissingPage } from "../ui/missing-page.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Problem } from "../ui/states.tsx";
import { SubtaskPage } from "./subtask-page.tsx";

/** Leads to the place of a task in its conversation. A subtask has a page of its own. */
export function RunPage() {
  const { runId } = useParams({ from: "/runs/$runId" });
  const passage = useSearch({ from: "/runs/$runId" });
  const { data: run, error, refetch } = useQuery(queries.run(runId));
  if (ClientError.is(error, "not_found")) return <MissingPage title={texts.run.none} />;
  if (!run)
    return (
      <div className="mx-auto w-full max-w-3xl px-4 py-10 sm:px-6">
        <Problem error={error} onRetry={() => void refetch()} />
        {error === null && <Skeleton lines={6} />}
      </div>
    );
  if (run.parentRunId !== null) return <SubtaskPage key={runId} run={run} />;
  return (
    <Navigate
      to="/threads/$threadId"
      params={{ threadId: run.threadId }}
      search={{ ...passage, task: runId }}
      replace
    />
  );
}
