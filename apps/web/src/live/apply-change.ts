import { isTerminal, type RunChange, type RunView } from "@bron/protocol";
import type { QueryClient } from "@tanstack/react-query";
import { queries } from "./queries.ts";
import type { Invalidate } from "./refetcher.ts";
import { updateInThread } from "./thread-cache.ts";

/** Writes an updated run into the cached lists and pages. Counts and orderings are refetched. */
export function applyChange(
  client: QueryClient,
  { run }: RunChange,
  invalidate: Invalidate = (queryKey) => void client.invalidateQueries({ queryKey }),
): void {
  const key = queries.run(run.id).queryKey;
  const before = client.getQueryData(key) ?? findCached(client, ["children"], run.id);
  client.setQueryData(key, (known) => (known && known.lastSeq > run.lastSeq ? known : run));
  updateInThread(client, run);
  for (const name of ["runs", "children"])
    client.setQueriesData<RunView[]>({ queryKey: [name] }, (runs) =>
      runs?.map((known) => (known.id === run.id && known.lastSeq <= run.lastSeq ? run : known)),
    );
  if (!findCached(client, ["runs"], run.id)) invalidate(["runs"]);
  if (run.parentRunId !== null) applyChildChange({ client, invalidate }, run, before);
  invalidate(["brons"]);
  invalidate(["bron", run.bronId]);
  invalidate(["approvals"]);
  // A list that is on its way may be older than the run, which another request has brought.
  const isNew = before?.status !== run.status || before.waitsFor?.kind !== run.waitsFor?.kind;
  if (isNew || isTerminal(run.status)) invalidate(["threads"]);
}

interface Cache {
  readonly client: QueryClient;
  readonly invalidate: Invalidate;
}

/**
 * A parent run waits for what its child runs wait for, but its own row does not change then. So the
 * runs above are refetched when this differs.
 */
function applyChildChange(
  { client, invalidate }: Cache,
  run: RunView,
  before: RunView | undefined,
): void {
  const childrenKey = queries.children(run.parentRunId ?? "").queryKey;
  if (!findCached(client, childrenKey, run.id)) invalidate(childrenKey);
  if (before?.waitsFor?.kind === run.waitsFor?.kind) return;
  invalidate(queries.run(run.parentRunId ?? "").queryKey);
  for (const name of ["runs", "children"]) invalidate([name]);
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
