import type { Store } from "@bron/core";
import type { RunView } from "@bron/protocol";
import type { ModelCall } from "./obedient-model.ts";

const ownerId = "local";

export async function childrenOf({ runs }: Store, runId: string): Promise<RunView[]> {
  return (await runs.list(ownerId, {})).filter(({ parentRunId }) => parentRunId === runId);
}

/** The model waits for the child runs that it started. Only the store knows their ids. */
export async function withChildIds(
  store: Store,
  runId: string,
  calls: readonly ModelCall[],
): Promise<ModelCall[]> {
  if (!calls.some(({ tool }) => tool === "await_bron")) return [...calls];
  const children = await childrenOf(store, runId);
  return calls.flatMap((call) =>
    call.tool === "await_bron"
      ? children.map(({ id }) => ({ tool: call.tool, input: { runId: id } }))
      : [call],
  );
}
