import type { Client } from "@bron/client";
import { shownStatus, type EventView, type RunView } from "@bron/protocol";
import { asCalled } from "../called-as.ts";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { findRun } from "../find-by-id.ts";
import { reachRuntime } from "../reach-runtime.ts";
import { eventJson } from "../render/event-json.ts";
import { describeRun, type ChildRunDetails, type RunDetails } from "../render/run-details.ts";
import { paintStatus, statusWord } from "../render/run-status.ts";
import { shortId } from "../render/short-id.ts";
import { table } from "../render/table.ts";
import { ago } from "../render/time.ts";
import { oneLine } from "../render/visible.ts";
import { findGonePlaces, placeWait } from "../place-wait.ts";
import { readStatus } from "../status-words.ts";
import { hint, json, line, note, paint } from "../terminal.ts";

export interface ListOptions {
  readonly status?: string;
  readonly limit: number;
  readonly json?: boolean;
}

export async function listRuns(context: CommandContext, options: ListOptions): Promise<ExitCode> {
  const { terminal } = context;
  const [runs, gone] = await reachRuntime(context, { work: "none" }, async ({ client }) => {
    const found = await findRuns(client, options);
    return [found, await findGonePlaces(client, found)] as const;
  });
  if (options.json === true) json(terminal, { runs });
  else if (runs.length === 0)
    line(
      terminal,
      options.status === undefined
        ? asCalled(terminal, 'No runs yet. Try: bron run "What is 17% of 2340?"')
        : `No runs with the status ${options.status}.`,
    );
  else {
    const rows = runs.map((run) => [
      shortId(run.id),
      statusWord(run),
      ago(run.createdAt, terminal.now()),
      oneLine(run.title),
    ]);
    const [head = "", ...lines] = table(
      ["ID", "STATUS", "CREATED", "TITLE"],
      rows,
      terminal.columns,
    );
    line(terminal, head);
    for (const [index, text] of lines.entries()) {
      const run = runs[index];
      const word = rows[index]?.[1] ?? "";
      // Painted afterwards, because the colors would count as characters of the column.
      line(terminal, run ? text.replace(word, () => paintStatus(terminal, run, word)) : text);
    }
    for (const run of runs) {
      const wait = placeWait(run, gone);
      if (wait !== undefined) note(terminal, `${shortId(run.id)}  ${wait}`);
    }
  }
  return 0;
}

/** A status shown to people can cover several states: "running" is planning or executing. */
async function findRuns(client: Client, { status, limit }: ListOptions): Promise<RunView[]> {
  const filter = status === undefined ? undefined : readStatus(status);
  if (!filter) return await client.list("GET /api/runs", { limit });
  const { states, shown } = filter;
  // The server knows states only, so a status that people see is picked from all runs of its states.
  const query = shown === undefined ? { limit } : {};
  const lists = await Promise.all(
    states.map((state) => client.list("GET /api/runs", { status: state, ...query })),
  );
  return lists
    .flat()
    .filter((run) => shown === undefined || shownStatus(run) === shown)
    .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
    .slice(0, limit);
}

export async function showRunDetails(
  context: CommandContext,
  id: string,
  options: { readonly json?: boolean; readonly tree?: boolean; readonly verbose?: boolean },
): Promise<ExitCode> {
  const { terminal } = context;
  const isTree = options.tree === true;
  const details = await reachRuntime(
    context,
    { work: "none" },
    async ({ client }) => await readDetails(client, await findRun(client, id), isTree),
  );
  if (options.json === true)
    json(terminal, {
      ...details,
      events: details.events.map((event) => JSON.parse(eventJson(event)) as unknown),
    });
  else {
    const heading = (head: string) => paint(terminal, "bold", head);
    const isVerbose = options.verbose === true;
    for (const text of describeRun(details, { heading, isVerbose })) line(terminal, text);
    if (details.children.length > 0 && !isTree)
      hint(terminal, `Steps of child runs: bron runs show ${shortId(details.run.id)} --tree`);
  }
  return 0;
}

async function readDetails(client: Client, run: RunView, isTree: boolean): Promise<RunDetails> {
  const params = { id: run.id };
  const [gone, { actions }, { effects }, events, children] = await Promise.all([
    findGonePlaces(client, [run]),
    client.call("GET /api/runs/:id/actions", { params }),
    client.call("GET /api/runs/:id/effects", { params }),
    readLog(client, run),
    readChildren(client, run, isTree),
  ]);
  return { run, actions, effects, events, children, waits: placeWait(run, gone) };
}

/** One request for all child runs, and one for the log of each if their steps are wanted. */
async function readChildren(
  client: Client,
  { id }: RunView,
  isTree: boolean,
): Promise<ChildRunDetails[]> {
  const runs = await client.list("GET /api/runs", { parentRunId: id });
  const gone = await findGonePlaces(client, runs);
  return await Promise.all(
    runs.toReversed().map(async (run) => ({
      run,
      waits: placeWait(run, gone),
      children: isTree ? await readChildren(client, run, isTree) : [],
      ...(isTree ? { events: await readLog(client, run) } : {}),
    })),
  );
}

/** Reads the log up to its current end, without waiting for new events. */
async function readLog(client: Client, run: RunView): Promise<EventView[]> {
  const events: EventView[] = [];
  for await (const event of client.events(run.id)) {
    events.push(event);
    if (event.seq >= run.lastSeq) break;
  }
  return events;
}
