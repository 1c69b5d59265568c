import {
  runStates,
  webStatusOf,
  type EventView,
  type RunStatus,
  type RunView,
} from "@bron/protocol";
import type { Door } from "../door.ts";
import type { ExitCode } from "../exit-code.ts";
import { findRun } from "../find-by-id.ts";
import type { OwnerBron } from "../owner-bron.ts";
import { reachBron } from "../reach-bron.ts";
import { eventJson } from "../render/event-json.ts";
import { describeRun, type RunDetails } from "../render/run-details.ts";
import { statusWord } from "../render/run-status.ts";
import { shortId } from "../render/short-id.ts";
import { table } from "../render/table.ts";
import { ago } from "../render/time.ts";
import { oneLine } from "../render/visible.ts";
import { json, line, paint } from "../terminal.ts";

export interface ListOptions {
  readonly status?: string;
  readonly limit: number;
  readonly json?: boolean;
}

export async function listRuns(door: Door, options: ListOptions): Promise<ExitCode> {
  const { terminal } = door;
  const runs = await reachBron(
    door,
    { work: "none" },
    async ({ bron }) => await findRuns(bron, options),
  );
  if (options.json === true) json(terminal, { runs });
  else if (runs.length === 0)
    line(
      terminal,
      options.status === undefined
        ? 'No runs yet. Try: bron run "What is 17% of 2340?"'
        : `No runs with the status ${options.status}.`,
    );
  else {
    const rows = runs.map((run) => [
      shortId(run.id),
      statusWord(run),
      ago(run.createdAt, terminal.now()),
      oneLine(run.title),
    ]);
    for (const text of table(["ID", "STATUS", "CREATED", "TITLE"], rows, terminal.columns))
      line(terminal, text);
  }
  return 0;
}

/** One word of ours may be two of the log's: running is planning or executing. */
async function findRuns(bron: OwnerBron, { status, limit }: ListOptions): Promise<RunView[]> {
  if (status === undefined) return await bron.runs.list({ limit });
  const wanted = runStates.filter((state) => state === status || webStatusOf[state] === status);
  const lists = await Promise.all(
    wanted.map((state: RunStatus) => bron.runs.list({ status: state, limit })),
  );
  return lists
    .flat()
    .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
    .slice(0, limit);
}

export async function showRunDetails(
  door: Door,
  id: string,
  options: { readonly json?: boolean },
): Promise<ExitCode> {
  const { terminal } = door;
  const details = await reachBron(
    door,
    { work: "none" },
    async ({ bron }) => await readDetails(bron, await findRun(bron, id)),
  );
  if (options.json === true)
    json(terminal, {
      ...details,
      events: details.events.map((event) => JSON.parse(eventJson(event)) as unknown),
    });
  else
    for (const text of describeRun(details, (head) => paint(terminal, "bold", head)))
      line(terminal, text);
  return 0;
}

async function readDetails(bron: OwnerBron, run: RunView): Promise<RunDetails> {
  const [actions, effects, events] = await Promise.all([
    bron.runs.actions(run.id),
    bron.runs.effects(run.id),
    readLog(bron, run),
  ]);
  return { run, actions, effects, events };
}

/** The log as it stands, without waiting for more. */
async function readLog(bron: OwnerBron, run: RunView): Promise<EventView[]> {
  const events: EventView[] = [];
  for await (const event of bron.runs.events(run.id)) {
    events.push(event);
    if (event.seq >= run.lastSeq) break;
  }
  return events;
}
