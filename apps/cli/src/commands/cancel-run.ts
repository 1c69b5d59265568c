import { isTerminal, webStatusOf } from "@bron/protocol";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { findRun } from "../find-by-id.ts";
import { reachRuntime } from "../reach-runtime.ts";
import { shortId } from "../render/short-id.ts";
import { json, line, note } from "../terminal.ts";

/** Longer than a lease: a living holder has seen the request by then. */
const patienceMs = 15_000;

/** Asks the run to stop and waits until it has. If nobody works on it, it is ended here; that needs no model. */
export async function cancelRun(
  context: CommandContext,
  id: string,
  options: { readonly reason?: string; readonly json?: boolean },
): Promise<ExitCode> {
  const { terminal } = context;
  return await reachRuntime(context, { work: "own", withoutModel: true }, async ({ runtime }) => {
    const { id: runId } = await findRun(runtime, id);
    await runtime.runs.cancel(runId, options.reason);
    const signal = AbortSignal.any([terminal.stop, AbortSignal.timeout(patienceMs)]);
    for await (const _ of runtime.runs.events(runId, { signal })) if (signal.aborted) break;

    const run = await runtime.runs.get(runId);
    if (options.json === true) json(terminal, { run });
    else if (run.status === "canceled") line(terminal, `Run ${shortId(runId)} is canceled.`);
    else if (isTerminal(run.status))
      line(terminal, `Run ${shortId(runId)} was already over: ${webStatusOf[run.status]}.`);
    if (!isTerminal(run.status))
      note(
        terminal,
        `Run ${shortId(runId)} is asked to stop, but its worker has not answered. It ends as soon as Bron runs: bron start`,
      );
    return run.status === "canceled" ? 0 : 1;
  });
}
