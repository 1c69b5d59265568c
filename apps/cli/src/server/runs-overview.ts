import type { RunStatus, RunView } from "@bron/protocol";
import type { Runtime } from "@bron/runtime";
import { ownerId } from "../owner.ts";

export interface Overview {
  readonly counts: Readonly<Partial<Record<RunStatus, number>>>;
  readonly newest: readonly RunView[];
}

const shownRuns = 20;

/** The data of the status page. Throws when the database does not respond. */
export async function readOverview(runtime: Runtime): Promise<Overview> {
  return {
    counts: await runtime.countRuns(ownerId),
    newest: await runtime.clientFor(ownerId).list("GET /api/runs", { limit: shownRuns }),
  };
}
