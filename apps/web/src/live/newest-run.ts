import type { RunView } from "@bron/protocol";
import type { QueryClient } from "@tanstack/react-query";

/** The key of a run on its own. Every change of the owner's stream is written there. */
export const runKey = (id: string) => ["run", id] as const;

/**
 * The stream may be ahead of a response that was on its way, and no further change would correct
 * what the response says.
 */
export function newestRun(client: QueryClient, run: RunView): RunView {
  const known = client.getQueryData<RunView>(runKey(run.id));
  return known !== undefined && known.lastSeq > run.lastSeq ? known : run;
}
