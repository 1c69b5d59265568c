import { BronError, dollars } from "@bron/core";
import type { ConnectionState } from "@bron/client";
import { isParked, type RunView } from "@bron/protocol";
import { exitCodeOfRun, type ExitCode } from "./exit-code.ts";
import type { ReachedRuntime } from "./reach-runtime.ts";
import { seconds } from "./render/time.ts";
import { shortId } from "./render/short-id.ts";
import { createJsonPrinter, createTextPrinter } from "./run-printer.ts";
import { note, paint, type Terminal } from "./terminal.ts";

export interface ShownRun {
  readonly runId: string;
  readonly afterSeq: number;
  readonly json: boolean;
}

const quietMs = 15_000;

/** Shows a run until it is over or waits for a person; the exit code says which. */
export async function showRun(
  terminal: Terminal,
  { runtime, by }: Pick<ReachedRuntime, "runtime" | "by">,
  shown: ShownRun,
): Promise<ExitCode> {
  const { runId, afterSeq } = shown;
  const earlier = afterSeq === 0 ? [] : await runtime.runs.actions(runId);
  const printer = shown.json ? createJsonPrinter(terminal) : createTextPrinter(terminal, earlier);
  const quiet = setTimeout(
    () =>
      note(
        terminal,
        "  Nothing has happened for a while: another worker may have this run, or as many runs as allowed are under way.",
      ),
    quietMs,
  );
  const onConnection = (state: ConnectionState) =>
    note(
      terminal,
      paint(
        terminal,
        "yellow",
        state === "live" || state === "polling"
          ? "  Bron is back."
          : "  Bron does not answer any more; waiting for it to come back.",
      ),
    );
  try {
    for await (const event of runtime.runs.events(runId, {
      afterSeq,
      signal: terminal.stop,
      untilParked: true,
      onAnswer: printer.answer,
      onConnection,
    })) {
      quiet.refresh();
      printer.event(event);
    }
    clearTimeout(quiet);
    if (terminal.stop.aborted) throw letGo(runId, by);
    const [run, actions] = await Promise.all([
      runtime.runs.get(runId),
      runtime.runs.actions(runId),
    ]);
    const unknown = actions.filter(({ state }) => state === "unknown");
    if (!shown.json) {
      note(terminal, closingLine(terminal, run));
      if (unknown.length > 0)
        note(
          terminal,
          paint(
            terminal,
            "yellow",
            `Check before you repeat it: nobody knows whether ${unknown.map(({ tool }) => tool).join(", ")} happened.`,
          ),
        );
    }
    return exitCodeOfRun(run.status, unknown.length > 0);
  } catch (error) {
    throw BronError.is(error, "server_unreachable") ? lost(runId, error) : error;
  } finally {
    clearTimeout(quiet);
  }
}

function letGo(runId: string, by: ReachedRuntime["by"]): BronError {
  const id = shortId(runId);
  if ("url" in by)
    return new BronError("interrupted", `Let go of run ${id}. It goes on at ${by.url}.`, {
      details: {
        hint: `bron runs show ${id} says how far it is, bron runs cancel ${id} stops it for good.`,
      },
    });
  return new BronError(
    "interrupted",
    `Let go of run ${id}. It is kept, and goes on when Bron runs.`,
    { details: { hint: `bron start lets it go on, bron runs cancel ${id} stops it for good.` } },
  );
}

function lost(runId: string, cause: unknown): BronError {
  const id = shortId(runId);
  return new BronError(
    "server_unreachable",
    `Bron went away and has not come back. Run ${id} is kept.`,
    {
      cause,
      details: { hint: `bron start lets it go on, then bron runs show ${id} says how far it is.` },
    },
  );
}

function closingLine(terminal: Terminal, run: RunView): string {
  const id = shortId(run.id);
  if (isParked(run.status)) return `Run ${id} waits for you; it goes on once you have decided.`;
  const tookMs =
    Date.parse(run.finishedAt ?? run.createdAt) - Date.parse(run.startedAt ?? run.createdAt);
  const cost = run.spentMicrousd > 0 ? `, ${dollars(run.spentMicrousd)}` : "";
  const word =
    run.status === "completed" && run.notDone === 0
      ? paint(terminal, "green", "succeeded")
      : run.status === "completed"
        ? paint(terminal, "yellow", "ended, not all done")
        : paint(terminal, "red", run.status);
  return `Run ${id} ${word} (${seconds(tookMs)}${cost}). More: bron runs show ${id}`;
}
