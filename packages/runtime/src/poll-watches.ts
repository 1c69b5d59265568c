import {
  BronError,
  messageOf,
  type Clock,
  type Connector,
  type DueWatch,
  type PollWatch,
  type Store,
} from "@bron/core";
import type { Caps, Watch, WatchSource } from "@bron/protocol";

/** Polls web pages, which need no account. */
export type PageWatcher = PollWatch;

interface Watching {
  readonly connectors: readonly Connector[];
  readonly pageWatcher?: PageWatcher | undefined;
}

interface PollDeps extends Watching {
  readonly store: Pick<Store, "schedules">;
  readonly caps: Caps;
  readonly clock: Clock;
  readonly onProblem: (message: string, error?: unknown) => void;
}

/** The watches that one sweep polls, at the same time. */
const maxPolls = 20;
const pollTimeoutMs = 30_000;
/** One poll starts no more tasks. The others are in one task together. */
const maxTasks = 10;
/** The text of one task. */
const maxCharacters = 50_000;

export function watcherOf(
  source: WatchSource,
  { connectors, pageWatcher }: Watching,
): PollWatch | undefined {
  if (source === "page") return pageWatcher;
  return connectors.find(({ watches }) => watches?.[source])?.watches?.[source];
}

/** Polls the watches that are due. A failed poll is tried again at the next time. */
export async function pollWatches(deps: PollDeps): Promise<number> {
  // A process without connectors leaves watches to those that have them.
  if (deps.connectors.length === 0) return 0;
  const due = await deps.store.schedules.takeDueWatches(maxPolls);
  await Promise.all(due.map((watch) => pollOne(deps, watch)));
  return due.length;
}

async function pollOne(deps: PollDeps, { schedule, cursor }: DueWatch): Promise<void> {
  const { id, ownerId, watch } = schedule;
  const { schedules } = deps.store;
  try {
    const poll = watcherOf(watch.source, deps);
    if (!poll) throw new BronError("missing_credentials", `Bron can't reach ${watch.source}.`);
    const found = await poll({
      ownerId,
      query: watch.query,
      cursor,
      signal: AbortSignal.timeout(pollTimeoutMs),
    });
    // What was there before the first poll does not count.
    const tasks = cursor === null ? [] : tasksOf(found.matches, watch.batch);
    await schedules.recordPoll(
      { scheduleId: id, ownerId, from: cursor, cursor: found.cursor, tasks },
      deps.caps,
    );
  } catch (error) {
    if (isLost(error)) await schedules.pauseLost(ownerId, id, messageOf(error));
    else deps.onProblem(`Could not poll a watch: ${messageOf(error)}`, error);
  }
}

/** Polling again cannot help until the owner acts. */
const isLost = (error: unknown) => lostCodes.some((code) => BronError.is(error, code));
const lostCodes = ["missing_credentials", "invalid_arguments", "not_found", "forbidden"] as const;

function tasksOf(matches: readonly string[], batch: Watch["batch"]): string[] {
  const together = (texts: readonly string[]) =>
    texts.length === 0 ? [] : [texts.join("\n\n---\n\n").slice(0, maxCharacters)];
  if (batch === "together") return together(matches);
  const single = matches.length <= maxTasks ? matches : matches.slice(0, maxTasks - 1);
  return [
    ...single.map((text) => text.slice(0, maxCharacters)),
    ...together(matches.slice(single.length)),
  ];
}
