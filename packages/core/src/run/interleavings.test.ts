import { isTerminal, type RunEvent } from "@bron/protocol";
import { createLoopHarness, isFullSuite, type LoopHarness } from "@bron/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { randomFrom } from "../../../../test/support/seeded-random.ts";
import { BronError } from "../errors.ts";
import { askUserTool } from "../tool/ask-user-tool.ts";
import { defineClientTool } from "../tool/define-client-tool.ts";
import { defineTool } from "../tool/define-tool.ts";

const ownerId = "local";
const deadlineMs = 30_000;
const maxKills = 3;
/** Seeds. Each gives another order of the same events, which also happen during an append. */
const seeds = Array.from({ length: isFullSuite ? 400 : 12 }, (_, seed) => seed);

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

interface Played {
  readonly loop: LoopHarness;
  readonly runId: string;
  /** Requests that were accepted. Each must be in the log exactly once. */
  readonly accepted: string[];
}

type Act = (played: Played) => Promise<unknown>;

const died = new Error("the worker died");
/** Rejections are as good as acceptances here. Only a defect is neither. */
const orRejected = (error: unknown) => {
  if (!BronError.is(error)) throw error;
};

/** Plays the acts in a random order, with kills, and then lets the run come to its end. */
async function play(seed: number, tool: string, acts: readonly Act[]): Promise<Played> {
  const random = randomFrom(seed);
  const loop = createLoopHarness({
    script: ({ options: { prompt } }) =>
      prompt.some(({ role }) => role === "tool")
        ? { text: "Done." }
        : { calls: [{ tool, input: tool === "ask_user" ? { question: "Which?" } : {} }] },
    tools,
  });
  const { id: runId } = await loop.create();
  const played: Played = { loop, runId, accepted: [] };
  let kills = 0;
  const disturb = async () => {
    while (random() < 0.35)
      await acts[Math.floor(random() * acts.length)]?.(played).catch(orRejected);
  };
  const dieSometimes = () => {
    if (kills >= maxKills || random() > 0.15) return;
    kills++;
    throw died;
  };
  const log: LoopHarness["store"]["log"] = {
    ...loop.store.log,
    async append(request) {
      await disturb();
      dieSometimes();
      const result = await loop.store.log.append(request);
      await disturb();
      dieSometimes();
      return result;
    },
  };
  const advance = async (chaos: boolean) => {
    const { runnable, status } = await loop.run(runId);
    if (!runnable || isTerminal(status)) return;
    await loop.advance(runId, chaos ? { log } : {}).catch((error: unknown) => {
      if (error !== died) throw error;
    });
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

const expire: Act = async ({ loop: { clock, store } }) => {
  await clock.pass(2 * deadlineMs + 1);
  await store.clientActions.expireDue();
  await store.questions.expireDue();
};
const cancel: Act = ({ loop, runId }) => loop.store.runs.requestCancel(ownerId, runId);
const wait: Act = ({ loop }) => loop.clock.pass(1_000);

const take =
  (takenBy: string): Act =>
  async ({ loop: { store }, accepted }) => {
    const [action] = await store.clientActions.list(ownerId, {});
    if (!action) return;
    const { runId, id: actionId } = action;
    await store.clientActions.take(ownerId, { runId, actionId, takenBy });
    accepted.push(`taken by ${takenBy}`);
  };
const finish =
  (result: string, isForged = false): Act =>
  async ({ loop: { store }, accepted }) => {
    const [action] = await store.clientActions.list(ownerId, {});
    if (!action) return;
    const { runId, id: actionId } = action;
    const secretHash = isForged ? "forged" : `hash of ${actionId}`;
    await store.clientActions.finish(ownerId, { runId, actionId, secretHash, result });
    accepted.push(result);
  };
const answer =
  (typed: string): Act =>
  async ({ loop: { store }, accepted }) => {
    const [question] = await store.questions.list(ownerId, {});
    if (!question) return;
    await store.questions.answer(ownerId, question.id, { typed });
    accepted.push(typed);
  };
const say =
  (messageId: string): Act =>
  async ({ loop: { store }, runId, accepted }) => {
    const isHeard = await store.runs.addMessage(ownerId, runId, { messageId, content: messageId });
    if (isHeard) accepted.push(messageId);
  };

/** Asserts what holds in every order, and returns the log. */
async function judge({ loop, runId }: Played): Promise<RunEvent[]> {
  const run = await loop.run(runId);
  expect(isTerminal(run.status), `stuck: ${run.status}`).toBe(true);
  const events = await loop.events(runId);
  const ends = events.filter(({ type, payload }) => type === "tool" && "outcome" in payload);
  const planned = events.flatMap((event) =>
    event.type === "step" && event.payload.phase === "end" ? event.payload.calls : [],
  );
  expect(ends).toHaveLength(planned.length);
  return events;
}

describe("in any order, with kills", () => {
  it.each(["fill", "submit"])(
    "X2 a client action (%s) ends once, with what was accepted",
    async (tool) => {
      const acts = [
        take("tab"),
        take("other"),
        finish("one"),
        finish("two"),
        finish("x", true),
        wait,
      ];
      const outcomes = new Set<unknown>();
      for (const seed of seeds) {
        const isCanceled = seed % 3 === 0;
        const played = await play(seed, tool, [
          ...acts,
          ...(isCanceled ? [cancel] : []),
          ...(seed % 4 === 1 ? [expire] : []),
        ]);
        const events = await judge(played);
        const results = played.accepted.filter((text) => !text.startsWith("taken"));
        expect(results.length, `seed ${seed}`).toBeLessThan(2);
        expect(new Set(played.accepted).size - results.length).toBeLessThan(2);
        const end = events.find(({ type, payload }) => type === "tool" && "outcome" in payload);
        if (results.length === 1)
          expect(end, `seed ${seed}`).toMatchObject({
            payload: { outcome: "completed", output: results[0] },
          });
        else if (end) expect(end.payload).not.toMatchObject({ outcome: "completed" });
        const actions = await played.loop.store.clientActions.list(ownerId, {});
        expect(actions.filter(({ endedAt }) => endedAt === null)).toEqual([]);
        const started = events.filter(
          ({ type, payload }) =>
            type === "client_action" && "state" in payload && payload.state === "pending",
        );
        expect(started).toHaveLength(actions.length);
        expect(actions.length).toBeLessThan(2);
        if (end && "outcome" in end.payload) outcomes.add(end.payload.outcome);
      }
      // The seeds reach different ends.
      for (const outcome of ["completed", "canceled", "failed"])
        expect(outcomes).toContain(outcome);
    },
    240_000,
  );

  it("X2 a question ends once, with the answer that was accepted", async () => {
    for (const seed of seeds) {
      const played = await play(seed, "ask_user", [
        answer("blue"),
        answer("red"),
        wait,
        ...(seed % 3 === 0 ? [cancel] : []),
        ...(seed % 4 === 1 ? [expire] : []),
      ]);
      const events = await judge(played);
      expect(played.accepted.length, `seed ${seed}`).toBeLessThan(2);
      const end = events.find(({ type, payload }) => type === "tool" && "outcome" in payload);
      const isCanceled = (await played.loop.run(played.runId)).status === "canceled";
      if (played.accepted.length === 1 && !isCanceled)
        expect(end, `seed ${seed}`).toMatchObject({
          payload: { output: { answer: played.accepted[0] } },
        });
    }
  }, 240_000);

  it("X2 the owner's words reach the model once, and never after the end", async () => {
    for (const seed of seeds) {
      const played = await play(seed, "read", [
        say("blue"),
        say("red"),
        wait,
        ...(seed % 3 === 0 ? [cancel] : []),
      ]);
      const events = await judge(played);
      const said = events.flatMap(({ type, payload }) =>
        type === "owner_message" && "messageId" in payload ? [payload.messageId] : [],
      );
      expect(new Set(said)).toEqual(new Set(played.accepted));
      expect(new Set(said).size, `seed ${seed}`).toBe(said.length);
      const heard = events.flatMap((event) =>
        event.type === "message" && event.payload.role === "user" && event.payload.messageId
          ? [event.payload.messageId]
          : [],
      );
      expect(new Set(heard).size).toBe(heard.length);
      const { status } = await played.loop.run(played.runId);
      if (status === "completed") expect(heard.toSorted(), `seed ${seed}`).toEqual(said.toSorted());
    }
  }, 240_000);
});
