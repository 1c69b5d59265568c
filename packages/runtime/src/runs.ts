import {
  BronError,
  chosenModelIn,
  requestError,
  cleanText,
  type CreatedRun,
  type EarlierMessage,
  type ListRuns,
  type ModelSet,
  type Runs,
} from "@bron/core";
import {
  omitUndefined,
  createRunSchema,
  formatBytes,
  isParked,
  isTerminal,
  maxPromptBytes,
  lowerCaps,
  mergeCaps,
  type ActionView,
  type Caps,
  type CreateRun,
  type EffectView,
  type Place,
  type RunEvent,
  type RunStatus,
  type RunView,
} from "@bron/protocol";
import { randomUUID } from "node:crypto";
import type { EventHub } from "./event-hub.ts";
import { parseInput } from "./parse-input.ts";
import { requireModel } from "./require-model.ts";
import { createQueue } from "./queue.ts";

export interface CreateRunOptions {
  readonly idempotencyKey?: string;
  readonly parentRunId?: string;
  /** Earlier messages of the conversation, for a new thread. */
  readonly earlier?: readonly EarlierMessage[];
  /**
   * The caps of the input may lower those of the runtime, but not raise them. Set it for callers
   * that are not trusted.
   */
  readonly onlyLowerCaps?: boolean;
}

export type SayOptions = Pick<CreateRunOptions, "idempotencyKey">;

export interface RunService {
  create(ownerId: string, input: CreateRun, options?: CreateRunOptions): Promise<CreatedRun>;
  /** Throws not_found. */
  get(ownerId: string, runId: string): Promise<RunView>;
  list(ownerId: string, options?: ListRuns): Promise<RunView[]>;
  /**
   * Yields the log after `afterSeq` and then live events, in order and without gaps, until the run
   * ends or the signal aborts.
   */
  events(
    ownerId: string,
    runId: string,
    options?: { afterSeq?: number; signal?: AbortSignal; untilParked?: boolean },
  ): AsyncGenerator<RunEvent, void>;
  /** The events after `afterSeq` that are in the log now, and the last seq. Throws not_found. */
  listEvents(
    ownerId: string,
    runId: string,
    options: { afterSeq: number; limit: number },
  ): Promise<{ events: RunEvent[]; lastSeq: number }>;
  counts(ownerId: string): Promise<Partial<Record<RunStatus, number>>>;
  /**
   * Reports the log after `afterSeq` and then live events, in order and without gaps. All
   * subscribers of this process get the same event objects. Throws not_found.
   */
  subscribe(
    ownerId: string,
    runId: string,
    subscription: { afterSeq: number; onEvents: (events: readonly RunEvent[]) => void },
  ): Promise<() => void>;
  actions(ownerId: string, runId: string): Promise<ActionView[]>;
  effects(ownerId: string, runId: string): Promise<EffectView[]>;
  /**
   * Says something to a run. One that is under way hears it after its open calls. For one that has
   * ended, the next task of its thread starts. The same key is never said twice. Throws not_found,
   * or conflict for a child run that has ended.
   */
  say(
    ownerId: string,
    runId: string,
    content: string,
    options?: SayOptions,
  ): Promise<{ readonly run: RunView; readonly isNewTask: boolean }>;
  /**
   * Moves a run with its child runs to another place, or anywhere. Throws not_found, or conflict if
   * a worker is advancing it.
   */
  move(ownerId: string, runId: string, place: Place | null): Promise<RunView>;
  /** Returns false if the run had already ended. */
  cancel(ownerId: string, runId: string, reason?: string): Promise<boolean>;
  /**
   * Starts the task of a finished run again, in the same thread. Results of completed calls are
   * reused when the same call is made again. An effect that was carried out, or may have been, is
   * not repeated without asking. Throws not_found, or conflict if the run has not ended.
   */
  retry(ownerId: string, runId: string, options?: { idempotencyKey?: string }): Promise<CreatedRun>;
  /**
   * Cancels every running or waiting run of the owner and returns their IDs. Nothing of them starts
   * afterwards.
   */
  cancelAll(ownerId: string, reason?: string): Promise<string[]>;
}

interface RunsDeps {
  readonly runs: Runs;
  readonly caps: Caps;
  readonly hub: EventHub;
  readonly modelsFor: (ownerId: string) => Promise<ModelSet>;
}

export function createRuns({ runs, caps, hub, modelsFor }: RunsDeps): RunService {
  const get = async (ownerId: string, runId: string) => {
    const run = await runs.get(ownerId, runId);
    if (!run) throw new BronError("not_found", `Run ${runId} not found.`);
    return run;
  };
  return {
    async create(ownerId, input, { onlyLowerCaps = false, parentRunId, ...options } = {}) {
      const { prompt, caps: requestedCaps, model: wanted, ...rest } = checkInput(input);
      const model =
        wanted === undefined ? undefined : requireModel(await modelsFor(ownerId), wanted);
      return await runs.create({
        ownerId,
        input: { prompt, ...rest, ...omitUndefined({ model }) },
        title: input.title ?? titleOf(prompt),
        caps: (onlyLowerCaps ? lowerCaps : mergeCaps)(caps, requestedCaps),
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
    async listEvents(ownerId, runId, { afterSeq, limit }) {
      const [{ lastSeq }, events] = await Promise.all([
        get(ownerId, runId),
        runs.events(ownerId, runId, afterSeq, limit),
      ]);
      // The row and the events are read concurrently, so either may be newer.
      return { events, lastSeq: Math.max(lastSeq, events.at(-1)?.seq ?? 0) };
    },
    async subscribe(ownerId, runId, { afterSeq, onEvents }) {
      await get(ownerId, runId);
      return hub.subscribe({ ownerId, runId, afterSeq, onEvents });
    },
    actions: runs.actions,
    effects: runs.effects,
    async say(ownerId, runId, content, { idempotencyKey = randomUUID() } = {}) {
      const { prompt } = checkInput({ prompt: content });
      const { parentRunId, threadId, place } = await get(ownerId, runId);
      const message = { messageId: idempotencyKey, content: cleanText(prompt) };
      if (await runs.addMessage(ownerId, runId, message))
        return { run: await get(ownerId, runId), isNewTask: false };
      if (parentRunId !== null) throw requestError("conflict", { code: "child_run_ended" });
      const { run } = await runs.create({
        ownerId,
        input: { prompt, threadId, ...(place ? { place } : {}) },
        title: titleOf(prompt),
        caps,
        idempotencyKey,
      });
      return { run, isNewTask: true };
    },
    move: runs.move,
    cancel: (ownerId, runId, reason) =>
      runs.requestCancel(ownerId, runId, reason === undefined ? undefined : cleanText(reason)),
    async retry(ownerId, runId, options = {}) {
      const {
        status,
        prompt,
        title,
        threadId,
        parentRunId,
        place,
        caps: requestedCaps,
      } = await get(ownerId, runId);
      // The prompt of a child run is not the owner's own text and must not become trusted.
      if (parentRunId !== null) throw requestError("conflict", { code: "child_run_retried" });
      if (!isTerminal(status)) throw requestError("conflict", { code: "task_under_way" });
      return await runs.create({
        ownerId,
        input: {
          prompt,
          threadId,
          ...(place ? { place } : {}),
          ...omitUndefined({ model: chosenModelIn(await runs.events(ownerId, runId, 0, 1)) }),
        },
        title,
        caps: requestedCaps,
        retry: { runId, notDone: await findNotDoneActions(runs, ownerId, runId) },
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

const maxRetries = 100;

/**
 * The actions of the run, and of the runs it retried, that the owner found not to have happened.
 */
async function findNotDoneActions(runs: Runs, ownerId: string, runId: string): Promise<string[]> {
  const found: string[] = [];
  let next: string | null = runId;
  for (let tries = 0; next !== null && tries < maxRetries; tries++) {
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
      `This task is too long. The limit is ${formatBytes(maxPromptBytes)}.`,
      { details: { bytes, maxBytes: maxPromptBytes } },
    );
  if (checked.prompt.trim() === "")
    throw new BronError("invalid_input", "Describe what you want Bron to do.");
  return checked;
}

function titleOf(prompt: string): string {
  const line = prompt.trim().split("\n", 1)[0] ?? "";
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
