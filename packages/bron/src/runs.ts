import { BronError, type Clock, type ListRuns, type Runs } from "@bron/core";
import { createRunSchema, isParked, isTerminal, maxPromptBytes, mergeCaps, type ActionView, type Caps, type CreateRun, type EffectView, type RunEvent, type RunView } from "@bron/protocol";
import type { LiveEvents } from "./live-events.ts";

export interface BronRuns {
  create(ownerId: string, input: CreateRun, options?: { idempotencyKey?: string; parentRunId?: string }): Promise<RunView>;
  /** Throws not_found. */
  get(ownerId: string, runId: string): Promise<RunView>;
  list(ownerId: string, options?: ListRuns): Promise<RunView[]>;
  /** The log from `afterSeq` on, then live, in order and without gaps, until the run is over or the signal aborts. */
  events(ownerId: string, runId: string, options?: { afterSeq?: number; signal?: AbortSignal; untilParked?: boolean }): AsyncGenerator<RunEvent, void>;
  actions(ownerId: string, runId: string): Promise<ActionView[]>;
  effects(ownerId: string, runId: string): Promise<EffectView[]>;
  /** False if the run was over already. */
  cancel(ownerId: string, runId: string, reason?: string): Promise<boolean>;
}

interface RunsParts {
  readonly runs: Runs;
  readonly caps: Caps;
  readonly live: LiveEvents;
  readonly clock: Clock;
}

/** Appends of other processes are seen by looking. */
const pollMs = 500;
const pageSize = 500;

export function createRuns({ runs, caps, live, clock }: RunsParts): BronRuns {
  const get = async (ownerId: string, runId: string) => {
    const run = await runs.get(ownerId, runId);
    if (!run) throw new BronError("not_found", `There is no run ${runId}.`);
    return run;
  };
  return {
    async create(ownerId, input, options = {}) {
      const { prompt, caps: ownCaps, ...rest } = checkInput(input);
      return await runs.create({ ownerId, input: { prompt, ...rest }, title: input.title ?? titleOf(prompt), caps: mergeCaps(caps, ownCaps), ...options });
    },
    get,
    list: (ownerId, options = {}) => runs.list(ownerId, options),
    actions: runs.actions,
    effects: runs.effects,
    async cancel(ownerId, runId, reason) {
      const stopped = await runs.requestCancel(ownerId, runId, reason);
      live.appended(runId, 0);
      return stopped;
    },
    async *events(ownerId, runId, { afterSeq = 0, signal = new AbortController().signal, untilParked = false } = {}) {
      await get(ownerId, runId);
      let cursor = afterSeq;
      while (!signal.aborted) {
        const waiting = new AbortController();
        // Listen before looking, so that nothing falls between.
        const next = live.nextAppend(runId, waiting.signal);
        const page = await runs.events(ownerId, runId, cursor, pageSize);
        for (const event of page) {
          cursor = event.seq;
          yield event;
        }
        const run = page.length === 0 ? await runs.get(ownerId, runId) : undefined;
        const over = run && (isTerminal(run.status) || (untilParked && isParked(run.status) && !run.runnable)) && run.lastSeq === cursor;
        if (page.length === 0 && !over) await Promise.race([next, clock.sleep(pollMs, AbortSignal.any([signal, waiting.signal]))]);
        waiting.abort();
        if (over) return;
      }
    },
  };
}

function checkInput(input: CreateRun) {
  const parsed = createRunSchema.safeParse(input);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new BronError("invalid_input", `${issue?.path.join(".") || "input"}: ${issue?.message ?? "invalid"}`);
  }
  const bytes = Buffer.byteLength(parsed.data.prompt);
  if (bytes > maxPromptBytes) throw new BronError("too_large", `The task has ${bytes} bytes; ${maxPromptBytes} are the most.`, { details: { bytes, maxBytes: maxPromptBytes } });
  if (parsed.data.prompt.trim() === "") throw new BronError("invalid_input", "The task is empty: say in words what is to be done.");
  return parsed.data;
}

function titleOf(prompt: string): string {
  const line = prompt.trim().split("\n", 1)[0] ?? "";
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
