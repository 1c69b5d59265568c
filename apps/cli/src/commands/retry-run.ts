import type { Door } from "../door.ts";
import type { ExitCode } from "../exit-code.ts";
import { findRun } from "../find-by-id.ts";
import { reachBron } from "../reach-bron.ts";
import { shortId } from "../render/short-id.ts";
import { showRun } from "../show-run.ts";
import { json, line, note } from "../terminal.ts";

export interface RetryOptions {
  readonly detach?: boolean;
  readonly json?: boolean;
}

/** The same task again, with what the run before completed; then follows the new run. */
export async function retryRun(door: Door, id: string, options: RetryOptions): Promise<ExitCode> {
  const { terminal } = door;
  const isDetached = options.detach === true;
  return await reachBron(door, { work: isDetached ? "none" : "own" }, async (reached) => {
    const before = await findRun(reached.bron, id);
    const run = await reached.bron.runs.retry(before.id);
    if (isDetached && options.json === true) json(terminal, { run });
    else if (isDetached) line(terminal, run.id);
    else if (options.json !== true)
      note(terminal, `Run ${shortId(run.id)} tries ${shortId(before.id)} again:`);
    return isDetached
      ? 0
      : await showRun(terminal, reached, {
          runId: run.id,
          afterSeq: 0,
          json: options.json === true,
        });
  });
}
