import { BronError } from "@bron/core";
import { isTerminal } from "@bron/protocol";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import type { OwnerRuntime } from "../owner-runtime.ts";
import { reachRuntime } from "../reach-runtime.ts";
import { json, line, note, type Terminal } from "../terminal.ts";

export interface StopOptions {
  readonly all?: boolean;
  readonly yes?: boolean;
  readonly reason?: string;
  readonly json?: boolean;
}

/** As long as for one: they end side by side. */
const patienceMs = 15_000;

/** Stops everything and waits until it has. If nobody works on it, it is ended here; that needs no model. */
export async function stopAll(context: CommandContext, options: StopOptions): Promise<ExitCode> {
  const { terminal } = context;
  if (options.all !== true)
    throw new BronError("invalid_input", "Say --all to stop everything.", {
      details: { hint: "One run alone: bron runs cancel <id>" },
    });
  if (options.yes !== true && !(await isSure(terminal))) {
    note(terminal, "Nothing was stopped.");
    return 3;
  }
  return await reachRuntime<ExitCode>(
    context,
    { work: "own", withoutModel: true },
    async ({ runtime }) => {
      const stopped = await runtime.runs.cancelAll(options.reason);
      const open = await untilOver(
        runtime,
        stopped,
        AbortSignal.any([terminal.stop, AbortSignal.timeout(patienceMs)]),
      );
      if (options.json === true) json(terminal, { stopped, open });
      else
        line(
          terminal,
          stopped.length === 0
            ? "Nothing was under way."
            : `Stopped ${stopped.length} ${stopped.length === 1 ? "run" : "runs"}.`,
        );
      if (open.length > 0)
        note(
          terminal,
          `${open.length} of them are asked to stop, but their workers have not answered. They end as soon as Bron runs: bron start`,
        );
      return open.length === 0 ? 0 : 1;
    },
  );
}

async function isSure(terminal: Terminal): Promise<boolean> {
  if (!terminal.canAsk)
    throw new BronError("invalid_input", "Without a terminal, say --yes.", {
      details: { hint: "bron stop --all --yes" },
    });
  const answer = await terminal.ask(
    "Stop everything that is under way or waiting, for good? [y/N] ",
  );
  if (terminal.stop.aborted) throw new BronError("interrupted", "Nothing was stopped.");
  return /^y(?:es)?$/i.test(answer.trim());
}

/** Those that are not over when patience ends. */
async function untilOver(
  runtime: OwnerRuntime,
  runIds: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const open: string[] = [];
  for (const runId of runIds) {
    for await (const _ of runtime.runs.events(runId, { signal })) if (signal.aborted) break;
    if (!isTerminal((await runtime.runs.get(runId)).status)) open.push(runId);
  }
  return open;
}
