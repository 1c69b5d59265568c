import type { Client } from "@bron/client";
import { BronError } from "@bron/core";
import { isTerminal } from "@bron/protocol";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { reachRuntime } from "../reach-runtime.ts";
import { hint, json, line, note, type Terminal } from "../terminal.ts";

export interface StopOptions {
  readonly all?: boolean;
  readonly yes?: boolean;
  readonly reason?: string;
  readonly json?: boolean;
}

/** The same as for a single run, because the runs end in parallel. */
const timeoutMs = 15_000;

/**
 * Cancels every run and waits until they have ended. Runs that no worker holds are ended by this
 * process, which needs no model.
 */
export async function stopAll(context: CommandContext, options: StopOptions): Promise<ExitCode> {
  const { terminal } = context;
  if (options.all !== true)
    throw new BronError("invalid_input", "Use --all to stop everything.", {
      details: { hint: "To stop one run: bron runs cancel <id>" },
    });
  if (options.yes !== true && !(await isSure(terminal))) {
    note(terminal, "Nothing was stopped.");
    return 3;
  }
  return await reachRuntime<ExitCode>(
    context,
    { work: "own", withoutModel: true },
    async ({ client }) => {
      const { stopped } = await client.call("POST /api/stop", {
        body: { reason: options.reason },
      });
      const open = await untilFinished(
        client,
        stopped,
        AbortSignal.any([terminal.stop, AbortSignal.timeout(timeoutMs)]),
      );
      if (options.json === true) json(terminal, { stopped, open });
      else
        line(
          terminal,
          stopped.length === 0
            ? "No runs to stop."
            : `Stopped ${stopped.length} ${stopped.length === 1 ? "run" : "runs"}.`,
        );
      if (open.length > 0)
        hint(
          terminal,
          open.length === 1
            ? "1 run hasn't stopped yet. It stops when the server is running (bron start)."
            : `${open.length} runs haven't stopped yet. They stop when the server is running (bron start).`,
        );
      return open.length === 0 ? 0 : 1;
    },
  );
}

async function isSure(terminal: Terminal): Promise<boolean> {
  if (!terminal.canAsk)
    throw new BronError("invalid_input", "Not a terminal: use --yes.", {
      details: { hint: "bron stop --all --yes" },
    });
  const response = await terminal.ask(
    "Stop all running and waiting runs? This can't be undone. [y/N] ",
  );
  if (terminal.stop.aborted) throw new BronError("interrupted", "Nothing was stopped.");
  return /^y(?:es)?$/i.test(response.trim());
}

/** Waits for the runs to finish and returns those that had not when the signal aborted. */
async function untilFinished(
  client: Client,
  runIds: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const open: string[] = [];
  for (const runId of runIds) {
    for await (const _ of client.events(runId, { signal })) if (signal.aborted) break;
    if (!isTerminal((await client.call("GET /api/runs/:id", { params: { id: runId } })).status))
      open.push(runId);
  }
  return open;
}
