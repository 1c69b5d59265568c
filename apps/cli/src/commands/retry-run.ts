import { showAndAsk } from "../ask-in-place.ts";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { findRun } from "../find-by-id.ts";
import { reachRuntime } from "../reach-runtime.ts";
import { shortId } from "../render/short-id.ts";
import { json, line, note } from "../terminal.ts";

export interface RetryOptions {
  readonly detach?: boolean;
  readonly verbose?: boolean;
  readonly json?: boolean;
}

/** Runs the same task again, reusing the completed steps, and shows the new run. */
export async function retryRun(
  context: CommandContext,
  id: string,
  options: RetryOptions,
): Promise<ExitCode> {
  const { terminal } = context;
  const isDetached = options.detach === true;
  return await reachRuntime(context, { work: isDetached ? "none" : "own" }, async (reached) => {
    const before = await findRun(reached.client, id);
    const run = await reached.client.call("POST /api/runs/:id/retry", {
      params: { id: before.id },
    });
    if (isDetached && options.json === true) json(terminal, { run });
    else if (isDetached) line(terminal, run.id);
    else if (options.json !== true)
      note(terminal, `Run ${shortId(run.id)} retries ${shortId(before.id)}:`);
    return isDetached
      ? 0
      : await showAndAsk(terminal, reached, {
          runId: run.id,
          afterSeq: 0,
          json: options.json === true,
          verbose: options.verbose,
        });
  });
}
