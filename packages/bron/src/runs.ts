import { BronError, cleanText, type EarlierMessage, type ListRuns, type Runs } from "@bron/core";
import {
  omitUndefined,
  createRunSchema,
  isParked,
  isTerminal,
  maxPromptBytes,
  lowerCaps,
  mergeCaps,
  type ActionView,
  type Caps,
  type CreateRun,
  type EffectView,
  type RunEvent,
  type RunStatus,
  type RunView,
} from "@bron/protocol";
import type { EventHub } from "./event-hub.ts";
import { parseInput } from "./parse-input.ts";
import { createQueue } from "./queue.ts";

export interface CreateRunOptions {
  readonly idempotencyKey?: string;
  readonly parentRunId?: string;
  /** What was said before, for a thread that has nothing yet. */
  readonly earlier?: readonly EarlierMessage[];
  /** For a door that others use: the caps of the input may be lower than those of this Bron, not higher. */
  readonly lowerOnly?: boolean;
}

export interface RunService {
  create(ownerId: string, input: CreateRun, options?: CreateRunOptions): Promise<RunView>;
  /** Throws not_found. */
  get(ownerId: string, runId: string): Promise<RunView>;
  list(ownerId: string, options?: ListRuns): Promise<RunView[]>;
  /** The log from `afterSeq` on, then live, in order and without gaps, until the run is over or the signal aborts. */
  events(
    ownerId: string,
    runId: string,
    options?: { afterSeq?: number; signal?: AbortSignal; untilParked?: boolean },
  ): AsyncGenerator<RunEvent, void>;
  /** What is in the log now after `afterSeq`, and how far it goes. Throws not_found. */
  page(
    ownerId: string,
    runId: string,
    options: { afterSeq: number; limit: number },
  ): Promise<{ events: RunEvent[]; lastSeq: number }>;
  counts(ownerId: string): Promise<Partial<Record<RunStatus, number>>>;
  /** The log from `afterSeq` on, then live: in order, without gaps, the same event objects for all who subscribed here. Throws not_found. */
  subscribe(
    ownerId: string,
    runId: string,
    subscription: { afterSeq: number; onEvents: (events: readonly RunEvent[]) => void },
  ): Promise<() => void>;
  actions(ownerId: string, runId: string): Promise<ActionView[]>;
  effects(ownerId: string, runId: string): Promise<EffectView[]>;
  /** False if the run was over already. */
  cancel(ownerId: string, runId: string, reason?: string): Promise<boolean>;
  /**
   * A new run of the same task in the same thread, for one that is over: what that one completed is reused where the same call is made
   * again, and an effect that it did, or perhaps did, is not done again unasked. Throws not_found, or conflict if it is not over.
   */
  retry(ownerId: string, runId: string, options?: { idempotencyKey?: string }): Promise<RunView>;
  /** Everything that the owner has under way or waiting; returns the runs that it stopped. Nothing of them begins after it. */
  cancelAll(ownerId: string, reason?: string): Promise<string[]>;
}

interface RunsDeps {
  readonly runs: Runs;
  readonly caps: Caps;
  readonly hub: EventHub;
}

export function createRuns({ runs, caps, hub }: RunsDeps): RunService {
  const get = async (ownerId: string, runId: string) => {
    const run = await runs.get(ownerId, runId);
    if (!run) throw new BronError("not_found", `There is no run ${runId}.`);
    return run;
  };
  return {
    async create(ownerId, input, { lowerOnly = false, parentRunId, ...options } = {}) {
      const { prompt, caps: ownCaps, ...rest } = checkInput(input);
      return await runs.create({
        ownerId,
        input: { prompt, ...rest },
        title: input.title ?? titleOf(prompt),
        caps: (lowerOnly ? lowerCaps : mergeCaps)(caps, ownCaps),
        ...omitUndefined({
          parent:
            parentRunId === undefined
              ? undefined
              : { runId: parentRunId, failureMode: "best_effort" as const },
        }),
        ...options,
      });
    },
    get,
    list: (ownerId, options = {}) => runs.list(ownerId, options),
    counts: runs.counts,
    async page(ownerId, runId, { afterSeq, limit }) {
      const [{ lastSeq }, events] = await Promise.all([
        get(ownerId, runId),
        runs.events(ownerId, runId, afterSeq, limit),
      ]);
      // Read at the same time: the log may be ahead of the row or behind it.
      return { events, lastSeq: Math.max(lastSeq, events.at(-1)?.seq ?? 0) };
    },
    async subscribe(ownerId, runId, { afterSeq, onEvents }) {
      await get(ownerId, runId);
      return hub.subscribe({ ownerId, runId, afterSeq, onEvents });
    },
    actions: runs.actions,
    effects: runs.effects,
    cancel: (ownerId, runId, reason) =>
      runs.requestCancel(ownerId, runId, reason === undefined ? undefined : cleanText(reason)),
    async retry(ownerId, runId, options = {}) {
      const {
        status,
        prompt,
        title,
        threadId,
        parentRunId,
        caps: ownCaps,
      } = await get(ownerId, runId);
      // Its words are not the owner's own, and must not become so.
      if (parentRunId !== null)
        throw new BronError("conflict", "This run is a part of another task: try that one again.");
      if (!isTerminal(status))
        throw new BronError(
          "conflict",
          "This run is not over: stop it first, or wait for its end.",
        );
      return await runs.create({
        ownerId,
        input: { prompt, threadId },
        title,
        caps: ownCaps,
        retry: { runId, notDone: await settledAsNotDone(runs, ownerId, runId) },
        ...options,
      });
    },
    cancelAll: (ownerId, reason) =>
      runs.requestCancelAll(ownerId, reason === undefined ? undefined : cleanText(reason)),
    async *events(
      ownerId,
      runId,
      { afterSeq = 0, signal = new AbortController().signal, untilParked = false } = {},
    ) {
      const { status, lastSeq } = await get(ownerId, runId);
      if (isTerminal(status) && lastSeq <= afterSeq) return;
      const queue = createQueue<RunEvent>(signal);
      const unsubscribe = hub.subscribe({ ownerId, runId, afterSeq, onEvents: queue.push });
      try {
        for (let cursor = afterSeq; ;) {
          for (const event of queue.take()) {
            cursor = event.seq;
            yield event;
            if (event.type === "status" && isTerminal(event.payload.status)) return;
          }
          if (signal.aborted) return;
          if (untilParked && !queue.has()) {
            const run = await get(ownerId, runId);
            if (isParked(run.status) && !run.runnable && run.lastSeq <= cursor) return;
          }
          await queue.filled();
        }
      } finally {
        unsubscribe();
        queue.close();
      }
    },
  };
}

const mostTries = 100;

/** Actions of which the owner has found out that they did not happen, in the run and in those that it tried again. */
async function settledAsNotDone(runs: Runs, ownerId: string, runId: string): Promise<string[]> {
  const found: string[] = [];
  let next: string | null = runId;
  for (let tries = 0; next !== null && tries < mostTries; tries++) {
    const [run, effects]: [RunView | undefined, EffectView[]] = await Promise.all([
      runs.get(ownerId, next),
      runs.effects(ownerId, next),
    ]);
    found.push(
      ...effects
        .filter(({ settled }) => settled?.as === "did_not_happen")
        .map(({ actionId }) => actionId),
    );
    next = run?.retryOf ?? null;
  }
  return found;
}

function checkInput(input: CreateRun) {
  const checked = parseInput(createRunSchema, input);
  const bytes = Buffer.byteLength(checked.prompt);
  if (bytes > maxPromptBytes)
    throw new BronError(
      "too_large",
      `The task has ${bytes} bytes; ${maxPromptBytes} are the most.`,
      { details: { bytes, maxBytes: maxPromptBytes } },
    );
  if (checked.prompt.trim() === "")
    throw new BronError("invalid_input", "The task is empty: say in words what is to be done.");
  return checked;
}

function titleOf(prompt: string): string {
  const line = prompt.trim().split("\n", 1)[0] ?? "";
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
