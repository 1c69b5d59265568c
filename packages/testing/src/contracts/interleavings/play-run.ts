import {
  askUserTool,
  BronError,
  defineClientTool,
  defineTool,
  type AppendRequest,
  type Store,
} from "@bron/core";
import { isTerminal, type RunEvent, omitUndefined } from "@bron/protocol";
import { expect } from "vitest";
import { z } from "zod";
import { createLoopHarness, type LoopHarness } from "../../loop/loop-harness.ts";
import { randomFrom } from "../../random/random-from.ts";

/** The store on which runs are played. */
export interface InterleavedStore {
  /** Absent: each run gets its own store in memory. */
  readonly store?: Store;
  /** Ages the deadlines in the store. Not called for a store in memory. */
  passTime(ms: number): Promise<void>;
  close(): Promise<void>;
}

export interface PlayedRun {
  readonly loop: LoopHarness;
  readonly runId: string;
  /** Requests that were accepted. Each must be in the log exactly once. */
  readonly accepted: string[];
  /** Lets deadlines pass. */
  passTime(ms: number): Promise<void>;
}

/** Something that happens to a run from outside. */
export type Act = (played: PlayedRun) => Promise<unknown>;

export const ownerId = "local";
const deadlineMs = 30_000;
const maxKills = 3;

const tools = [
  defineClientTool({
    name: "fill",
    description: "Fills in a form.",
    input: z.object({}),
    output: z.string(),
    program: "page",
    deadlineMs,
    ifExpired: "unknown",
  }),
  defineClientTool({
    name: "submit",
    description: "Submits a form.",
    input: z.object({}),
    output: z.string(),
    program: "page",
    deadlineMs,
    ifExpired: "unknown",
    sideEffect: true,
    seenBy: "owner",
  }),
  defineTool({
    name: "read",
    description: "Reads.",
    input: z.object({}),
    repeatable: true,
    execute: () => "read",
  }),
  askUserTool,
];

const died = new Error("the worker died");

/** The refusals of a request that came too late, or has a wrong secret. Any other is a defect. */
const refusals = ["conflict", "forbidden", "not_found"] as const;
const ignoreRefusal = (error: unknown) => {
  if (!refusals.some((code) => BronError.is(error, code))) throw error;
};

/**
 * Plays acts at random moments of a run: before, during and after its appends. Its worker dies a few
 * times. Then lets the run come to its end.
 */
export async function playRun(
  under: InterleavedStore,
  {
    seed,
    tool,
    acts,
  }: { readonly seed: number; readonly tool: string; readonly acts: readonly Act[] },
): Promise<PlayedRun> {
  const random = randomFrom(seed);
  const { store } = under;
  const loop = createLoopHarness({
    script: ({ options: { prompt } }) =>
      prompt.some(({ role }) => role === "tool")
        ? { text: "Done." }
        : { calls: [{ tool, input: tool === "ask_user" ? { question: "Which?" } : {} }] },
    tools,
    ...omitUndefined({ store }),
  });
  const { id: runId } = await loop.create();
  const passTime = async (ms: number) => {
    await loop.clock.pass(ms);
    if (store) await under.passTime(ms);
  };
  const played: PlayedRun = { loop, runId, accepted: [], passTime };
  let kills = 0;
  let worker = new AbortController();
  const disturb = async () => {
    while (random() < 0.35)
      await acts[Math.floor(random() * acts.length)]?.(played).catch(ignoreRefusal);
  };
  const dieSometimes = () => {
    if (kills >= maxKills || random() > 0.15) return;
    kills++;
    // The segment writes nothing more, and the next one claims the run.
    worker.abort(new BronError("lease_lost", "The worker died."));
    throw died;
  };
  const log: LoopHarness["store"]["log"] = {
    ...loop.store.log,
    async append(request: AppendRequest) {
      await disturb();
      dieSometimes();
      const [result] = await Promise.all([loop.store.log.append(request), disturb()]);
      await disturb();
      dieSometimes();
      return result;
    },
  };
  const advance = async (isDisturbed: boolean) => {
    const { runnable, status } = await loop.run(runId);
    if (!runnable || isTerminal(status)) return;
    worker = new AbortController();
    await loop.advance(runId, isDisturbed ? { log } : {}, worker.signal);
  };
  for (let turn = 0; turn < 6; turn++) {
    await disturb();
    await advance(true);
  }
  for (let turn = 0; turn < 6; turn++) {
    await expire(played);
    await advance(false);
  }
  return played;
}

/** Lets the deadlines of questions and client actions pass. */
export const expire: Act = async ({ loop: { store }, passTime }) => {
  await passTime(2 * deadlineMs + 1);
  await store.clientActions.expireDue();
  await store.questions.expireDue();
};

/** Asserts what holds in every order, and returns the log. */
export async function eventsOfEndedRun({ loop, runId }: PlayedRun): Promise<RunEvent[]> {
  const run = await loop.run(runId);
  expect(isTerminal(run.status), `stuck: ${run.status}`).toBe(true);
  const events = await loop.events(runId);
  const ends = events.filter(({ type, payload }) => type === "tool" && "outcome" in payload);
  const planned = events.flatMap((event) =>
    event.type === "step" && event.payload.phase === "end" ? event.payload.calls : [],
  );
  expect(ends).toHaveLength(planned.length);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  return events;
}
