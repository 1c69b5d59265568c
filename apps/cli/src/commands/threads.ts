import {
  isTerminal,
  omitUndefined,
  type RunView,
  type ThreadState,
  type ThreadView,
} from "@bron/protocol";
import { asCalled } from "../called-as.ts";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { findThread } from "../find-by-id.ts";
import { reachRuntime } from "../reach-runtime.ts";
import { statusWord } from "../render/run-status.ts";
import { shortId } from "../render/short-id.ts";
import { fields, table } from "../render/table.ts";
import { ago, localTime } from "../render/time.ts";
import { oneLine } from "../render/visible.ts";
import { json, line, paint } from "../terminal.ts";

interface Json {
  readonly json?: boolean;
}

interface ListOptions extends Json {
  readonly limit: number;
  readonly query?: string;
  readonly state?: ThreadState;
  readonly archived?: boolean;
}

/** Pinned conversations have a star. */
export async function listThreads(
  context: CommandContext,
  { limit, query, state, archived, json: asJson }: ListOptions,
): Promise<ExitCode> {
  const { terminal } = context;
  const threads = await reachRuntime(context, { work: "none" }, ({ client }) =>
    client.list("GET /api/threads", {
      limit,
      ...omitUndefined({
        query,
        state,
        archived: archived === true ? ("only" as const) : undefined,
      }),
    }),
  );
  const isNarrowed = query !== undefined || state !== undefined || archived === true;
  if (asJson === true) json(terminal, { threads });
  else if (threads.length === 0)
    line(
      terminal,
      isNarrowed
        ? "No conversations found."
        : asCalled(terminal, 'No conversations yet. Start one: bron run "What is 17% of 2340?"'),
    );
  else {
    const rows = threads.map((thread) => [
      shortId(thread.id),
      statusOf(thread),
      String(thread.runCount),
      ago(thread.updatedAt, terminal.now()),
      titleOf(thread),
    ]);
    for (const text of table(["ID", "STATUS", "RUNS", "ACTIVE", "TITLE"], rows, terminal.columns))
      line(terminal, text);
  }
  return 0;
}

/** The status is that of the newest run, so its title is added if it is not the first one. */
function titleOf({ pinnedAt, title, runCount, latestRun }: ThreadView): string {
  const latest = runCount > 1 ? ` (latest: ${oneLine(latestRun.title)})` : "";
  return `${pinnedAt === null ? "" : "* "}${oneLine(title)}${latest}`;
}

/** The newest run may have ended while an earlier one still waits. */
function statusOf({ status, latestRun, waitsFor, waitsForOwner }: ThreadView): string {
  const { notDone, outcome } = latestRun;
  const wordOf = (one: RunView["status"]) =>
    statusWord({ status: one, waitsFor, notDone, outcome, cancelRequested: false });
  if (!isTerminal(status) || !waitsForOwner) return wordOf(status);
  return `${wordOf(status)}, ${waitsFor ? wordOf("executing") : "needs you"}`;
}

export async function showThread(
  context: CommandContext,
  id: string,
  options: Json,
): Promise<ExitCode> {
  const { terminal } = context;
  const { thread, runs } = await reachRuntime(context, { work: "none" }, async ({ client }) => {
    const found = await findThread(client, id);
    const newestFirst = await client.list("GET /api/runs", { threadId: found.id });
    return { thread: found, runs: newestFirst.toReversed() };
  });
  if (options.json === true) json(terminal, { thread, runs });
  else {
    line(terminal, paint(terminal, "bold", oneLine(thread.title)));
    for (const text of describe(thread, runs, context)) line(terminal, text);
  }
  return 0;
}

function describe(
  thread: ThreadView,
  runs: readonly RunView[],
  { terminal }: CommandContext,
): string[] {
  return [
    ...fields([
      ["Thread", thread.id],
      ["Status", statusOf(thread)],
      ["Bron", thread.bronId],
      ["Created", localTime(thread.createdAt)],
      ["Continue", `${terminal.calledAs} run --thread ${thread.id} "..."`],
    ]),
    "",
    ...table(
      ["ID", "STATUS", "CREATED", "TITLE"],
      runs.map((run) => [
        shortId(run.id),
        statusWord(run),
        ago(run.createdAt, terminal.now()),
        oneLine(run.title),
      ]),
      terminal.columns,
    ),
  ];
}

export async function renameThread(
  context: CommandContext,
  id: string,
  title: string,
  options: Json,
): Promise<ExitCode> {
  const thread = await reachRuntime(context, { work: "none" }, async ({ client }) => {
    const params = { id: (await findThread(client, id)).id };
    return await client.call("PATCH /api/threads/:id", { params, body: { title } });
  });
  if (options.json === true) json(context.terminal, { thread });
  else line(context.terminal, `Renamed to "${oneLine(thread.title)}".`);
  return 0;
}

const changes = {
  archive: { body: { archived: true }, done: "Archived" },
  unarchive: { body: { archived: false }, done: "Took out of the archive:" },
  pin: { body: { pinned: true }, done: "Pinned" },
  unpin: { body: { pinned: false }, done: "Unpinned" },
} as const;

export async function changeThread(
  context: CommandContext,
  { id, change }: { readonly id: string; readonly change: keyof typeof changes },
  options: Json,
): Promise<ExitCode> {
  const { body, done } = changes[change];
  const thread = await reachRuntime(context, { work: "none" }, async ({ client }) => {
    const params = { id: (await findThread(client, id)).id };
    return await client.call("PATCH /api/threads/:id", { params, body });
  });
  if (options.json === true) json(context.terminal, { thread });
  else line(context.terminal, `${done} "${oneLine(thread.title)}".`);
  return 0;
}
