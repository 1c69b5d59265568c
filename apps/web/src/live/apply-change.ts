import { isTerminal, type RunChange, type RunView } from "@bron/protocol";
import type { QueryClient } from "@tanstack/react-query";
import { queries } from "./queries.ts";
import { updateInThread } from "./thread-cache.ts";

/** Writes an updated run into the cached lists and pages. Counts and orderings are refetched. */
export function applyChange(client: QueryClient, { run }: RunChange): void {
  const key = queries.run(run.id).queryKey;
  const before = client.getQueryData(key) ?? findCached(client, ["children"], run.id);
  client.setQueryData(key, (known) => (known && known.lastSeq > run.lastSeq ? known : run));
  updateInThread(client, run);
  for (const name of ["runs", "children"])
    client.setQueriesData<RunView[]>({ queryKey: [name] }, (runs) =>
      runs?.map((known) => (known.id === run.id && known.lastSeq <= run.lastSeq ? run : known)),
    );
  if (!findCached(client, ["runs"], run.id)) void client.invalidateQueries({ queryKey: ["runs"] });
  if (run.parentRunId !== null) applyChildChange(client, run, before);
  void client.invalidateQueries({ queryKey: ["brons"] });
  void client.invalidateQueries({ queryKey: ["bron", run.bronId] });
  void client.invalidateQueries({ queryKey: ["approvals"] });
  // A list that is on its way may be older than the run, which another request has brought.
  const isNew = before?.status !== run.status || before.waitsFor?.kind !== run.waitsFor?.kind;
  if (isNew || isTerminal(run.status)) void client.invalidateQueries({ queryKey: ["threads"] });
}

/**
 * A parent run waits for what its child runs wait for, but its own row does not change then. So the
 * runs above are refetched when this differs.
 */
function applyChildChange(client: QueryClient, run: RunView, before: RunView | undefined): void {
  const childrenKey = queries.children(run.parentRunId ?? "").queryKey;
  if (!findCached(client, childrenKey, run.id))
    void client.invalidateQueries({ queryKey: childrenKey });
  if (before?.waitsFor?.kind === run.waitsFor?.kind) return;
  void client.invalidateQueries({ queryKey: queries.run(run.parentRunId ?? "").queryKey });
  for (const name of ["runs", "children"]) void client.invalidateQueries({ queryKey: [name] });
}

function findCached(
  client: QueryClient,
  queryKey: readonly string[],
  runId: string,
): RunView | undefined {
  return client
    .getQueriesData<RunView[]>({ queryKey })
    .flatMap(([, runs]) => runs ?? [])
    .find(({ id }) => id === runId);
}

/** Refetches everything, because anything may have changed during a gap. */
export function refetchAll(client: QueryClient): void {
  for (const name of ["runs", "run", "children", "brons", "bron", "approvals", "threads"])
    void client.invalidateQueries({ queryKey: [name] });
}
