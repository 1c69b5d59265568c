import { isTerminal } from "@bron/protocol";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { findRun } from "../find-by-id.ts";
import { reachRuntime } from "../reach-runtime.ts";
import { inSentence, statusWord } from "../render/run-status.ts";
import { shortId } from "../render/short-id.ts";
import { hint, json, line } from "../terminal.ts";

/** Longer than a lease, so a live worker has seen the request by then. */
const timeoutMs = 15_000;

/**
 * Cancels the run and waits until it has ended. If no worker holds it, this process ends it, which
 * needs no model.
 */
export async function cancelRun(
  context: CommandContext,
  id: string,
  options: { readonly reason?: string; readonly json?: boolean },
): Promise<ExitCode> {
  const { terminal } = context;
  return await reachRuntime(context, { work: "own", withoutModel: true }, async ({ client }) => {
    const { id: runId } = await findRun(client, id);
    const { reason } = options;
    await client.call("POST /api/runs/:id/cancel", { params: { id: runId }, body: { reason } });
    const signal = AbortSignal.any([terminal.stop, AbortSignal.timeout(timeoutMs)]);
    for await (const _ of client.events(runId, { signal })) if (signal.aborted) break;

    const run = await client.call("GET /api/runs/:id", { params: { id: runId } });
    if (options.json === true) json(terminal, { run });
    else if (run.status === "canceled") line(terminal, `Run ${shortId(runId)} canceled.`);
    else if (isTerminal(run.status))
      line(terminal, `Run ${shortId(runId)} had already finished: ${inSentence(statusWord(run))}.`);
    if (!isTerminal(run.status))
      hint(
        terminal,
        `Run ${shortId(runId)} hasn't stopped yet. It will stop when the server is running (bron start).`,
      );
    return run.status === "canceled" ? 0 : 1;
  });
}
