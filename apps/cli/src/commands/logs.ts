import type { Client } from "@bron/client";
import type { EventView, RunView } from "@bron/protocol";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { findRun } from "../find-by-id.ts";
import { reachRuntime } from "../reach-runtime.ts";
import { eventJson } from "../render/event-json.ts";
import { createEventDescriber } from "../render/event-line.ts";
import { shortId } from "../render/short-id.ts";
import { clockTime } from "../render/time.ts";
import { oneLine } from "../render/visible.ts";
import { asCalled } from "../called-as.ts";
import { line, note, paint, type Terminal } from "../terminal.ts";

export interface LogsOptions {
  /** Goes on with what happens next. */
  readonly isLive: boolean;
  readonly verbose?: boolean;
  readonly json?: boolean;
}

/**
 * Shows the steps of a run, or of the newest one. Live, it goes on until the run has ended;
 * without a run, it shows what all runs do until Ctrl-C.
 */
export async function showLogs(
  context: CommandContext,
  id: string | undefined,
  options: LogsOptions,
): Promise<ExitCode> {
  const { terminal } = context;
  return await reachRuntime<ExitCode>(context, { work: "none" }, async ({ client }) => {
    const [run] =
      id === undefined
        ? await client.list("GET /api/runs", { limit: 1 })
        : [await findRun(client, id)];
    if (!run && !options.isLive) {
      note(terminal, asCalled(terminal, 'No runs yet. Try: bron run "What is 17% of 2340?"'));
      return 0;
    }
    const print = createLogPrinter(terminal, options);
    if (!options.isLive) {
      if (run) for await (const event of eventsOf(client, run)) print(run, event);
    } else if (id !== undefined && run)
      await printLive({ client, signal: terminal.stop, print }, run);
    else await printAllLive({ client, signal: terminal.stop, print }, run);
    return 0;
  });
}

type Print = (run: RunView, event: EventView) => void;

function createLogPrinter(terminal: Terminal, { json, verbose = false }: LogsOptions): Print {
  if (json === true) return (_, event) => line(terminal, eventJson(event));
  const describers = new Map<string, (event: EventView) => string | undefined>();
  let shown: string | undefined;
  return (run, event) => {
    const describe = describers.get(run.id) ?? createEventDescriber({ isVerbose: verbose });
    describers.set(run.id, describe);
    const text = describe(event);
    if (text === undefined) return;
    if (shown !== run.id)
      line(terminal, paint(terminal, "bold", `Run ${shortId(run.id)}: ${oneLine(run.title)}`));
    shown = run.id;
    line(terminal, `  ${paint(terminal, "dim", clockTime(event.createdAt))}  ${text}`);
  };
}

/** The log up to its current end. */
async function* eventsOf(client: Client, run: RunView): AsyncGenerator<EventView, void> {
  for await (const event of client.events(run.id)) {
    yield event;
    if (event.seq >= run.lastSeq) return;
  }
}

interface LiveDeps {
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly print: Print;
}

async function printLive(
  { client, signal, print }: LiveDeps,
  run: RunView,
  afterSeq = 0,
): Promise<void> {
  for await (const event of client.events(run.id, { signal, afterSeq })) print(run, event);
}

/** Prints the newest run, and every run that changes from now on. */
async function printAllLive(
  { client, signal, print }: LiveDeps,
  newest: RunView | undefined,
): Promise<void> {
  /** How far each run has been printed, or how far it was before this command. */
  const seen = new Map<string, number>();
  for (const run of await client.list("GET /api/runs", { limit: seenRuns }))
    seen.set(run.id, run.lastSeq);
  const subscribed = new Set<string>();
  const printNew: Print = (run, event) => {
    seen.set(run.id, event.seq);
    print(run, event);
  };
  const subscribe = (run: RunView, afterSeq: number) => {
    if (subscribed.has(run.id) || run.lastSeq <= afterSeq) return;
    subscribed.add(run.id);
    // The stream of changes reports a server that is away.
    void printLive({ client, signal, print: printNew }, run, afterSeq)
      .catch(() => undefined)
      .finally(() => subscribed.delete(run.id));
  };
  if (newest) subscribe(newest, 0);
  for await (const change of client.changes({ signal })) {
    if (change.kind === "run") subscribe(change.change.run, seen.get(change.change.run.id) ?? 0);
  }
}

/** Runs that changed longer ago are printed from their beginning when they change again. */
const seenRuns = 50;
