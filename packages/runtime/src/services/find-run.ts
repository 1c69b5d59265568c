import { BronError, type Runs } from "@bron/core";
import type { RunView } from "@bron/protocol";

/** Throws not_found. */
export async function findRun(
  runs: Pick<Runs, "get">,
  ownerId: string,
  id: string,
): Promise<RunView> {
  const run = await runs.get(ownerId, id);
  if (!run) throw new BronError("not_found", `Run ${id} not found.`);
  return run;
}
