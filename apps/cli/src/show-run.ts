import { BronError, dollars } from "@bron/core";
import { isParked, type RunView } from "@bron/protocol";
import type { Bron } from "bron";
import { exitCodeOfRun, type ExitCode } from "./exit-code.ts";
import { followRun } from "./follow-run.ts";
import { ownerId } from "./owner.ts";
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
export async function showRun(terminal: Terminal, bron: Bron, shown: ShownRun): Promise<ExitCode> {
  const earlier = shown.afterSeq === 0 ? [] : await bron.runs.actions(ownerId, shown.runId);
  const printer = shown.json ? createJsonPrinter(terminal) : createTextPrinter(terminal, earlier);
  const endDeltas = bron.onDelta((delta) => {
    if (delta.runId === shown.runId) printer.delta(delta);
  });
  const quiet = setTimeout(() => note(terminal, "  Nothing has happened for a while: another worker may have this run, or as many runs as allowed are under way."), quietMs);
  try {
    const run = await followRun(bron, {
      ...shown,
      signal: terminal.stop,
      onEvent(event) {
        quiet.refresh();
        printer.event(event);
      },
    });
    clearTimeout(quiet);
    if (!run) throw letGo(shown.runId);
    const unknown = (await bron.runs.actions(ownerId, run.id)).filter(({ state }) => state === "unknown");
    if (!shown.json) {
      note(terminal, closingLine(terminal, run));
      if (unknown.length > 0) note(terminal, paint(terminal, "yellow", `Check before you repeat it: nobody knows whether ${unknown.map(({ tool }) => tool).join(", ")} happened.`));
    }
    return exitCodeOfRun(run.status, unknown.length > 0);
  } finally {
    clearTimeout(quiet);
    endDeltas();
  }
}

function letGo(runId: string): BronError {
  return new BronError("interrupted", `Let go of run ${shortId(runId)}. It is kept, and goes on when Bron runs.`, {
    details: { hint: `bron start lets it go on, bron runs cancel ${shortId(runId)} stops it for good.` },
  });
}

function closingLine(terminal: Terminal, run: RunView): string {
  const id = shortId(run.id);
  if (isParked(run.status)) return `Run ${id} waits for you; it goes on once you have decided.`;
  const tookMs = Date.parse(run.finishedAt ?? run.createdAt) - Date.parse(run.startedAt ?? run.createdAt);
  const cost = run.spentMicrousd > 0 ? `, ${dollars(run.spentMicrousd)}` : "";
  const word = run.status === "completed" ? paint(terminal, "green", "succeeded") : paint(terminal, "red", run.status);
  return `Run ${id} ${word} (${seconds(tookMs)}${cost}). More: bron runs show ${id}`;
}
