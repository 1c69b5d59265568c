import type { RunEvent } from "@bron/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  eventsOfEndedRun,
  expire,
  ownerId,
  playRun,
  type Act,
  type InterleavedStore,
  type PlayedRun,
} from "./interleavings/play-run.ts";

const timeoutMs = 1_200_000;
/** Below this number of seeds, it is chance which ends are reached. */
const enoughSeeds = 12;

interface Interleavings {
  /** How many orders of the same events are played. */
  readonly count: number;
  open(): Promise<InterleavedStore>;
}

/**
 * What happens to a run from outside, in any order, with kills: questions, client actions and the
 * owner's words get stuck in no order, and none of them counts twice.
 */
export function interleavingsContract(name: string, { count, open }: Interleavings): void {
  describe(`in any order, with kills: ${name}`, () => {
    let under: InterleavedStore;
    beforeAll(async () => {
      under = await open();
    });
    afterAll(async () => await under.close());
    const seeds = Array.from({ length: count }, (_, seed) => seed);
    const play = (seed: number, tool: string, acts: readonly Act[]) =>
      playRun(under, {
        seed,
        tool,
        acts: [
          ...acts,
          wait,
          ...(seed % 3 === 0 ? [cancel] : []),
          ...(seed % 4 === 1 ? [expire] : []),
        ],
      });
    const expectEnds = (reached: ReadonlySet<unknown>, ends: readonly string[]) => {
      if (count >= enoughSeeds) for (const end of ends) expect(reached).toContain(end);
    };

    it.each(["fill", "submit"])(
      "X2 a client action (%s) ends once, with what was accepted",
      async (tool) => {
        const outcomes = new Set<unknown>();
        for (const seed of seeds) {
          const played = await play(seed, tool, [
            take("tab"),
            take("other"),
            finish("one"),
            finish("two"),
            finish("forged", true),
          ]);
          outcomes.add(await judgeClientAction(played, seed));
        }
        expectEnds(outcomes, ["completed", "canceled", "failed"]);
      },
      timeoutMs,
    );

    it(
      "X2 a question ends once, with the answer that was accepted",
      async () => {
        const ends = new Set<unknown>();
        for (const seed of seeds)
          ends.add(
            await judgeQuestion(
              await play(seed, "ask_user", [answer("blue"), answer("red")]),
              seed,
            ),
          );
        expectEnds(ends, ["typed", "nobody", "canceled"]);
      },
      timeoutMs,
    );

    it(
      "X2 the owner's words reach the model once, and never after the end",
      async () => {
        const ends = new Set<unknown>();
        for (const seed of seeds)
          ends.add(await judgeWords(await play(seed, "read", [say("blue"), say("red")]), seed));
        expectEnds(ends, ["heard", "canceled"]);
      },
      timeoutMs,
    );
  });
}

const cancel: Act = ({ loop, runId }) => loop.store.runs.requestCancel(ownerId, runId);
const wait: Act = ({ loop }) => loop.clock.pass(1_000);

const take =
  (takenBy: string): Act =>
  async ({ loop: { store }, runId, accepted }) => {
    const [action] = await store.clientActions.list(ownerId, { runId });
    if (!action) return;
    await store.clientActions.take(ownerId, { runId, actionId: action.id, takenBy });
    accepted.push(`taken by ${takenBy}`);
  };
const finish =
  (result: string, isForged = false): Act =>
  async ({ loop: { store }, runId, accepted }) => {
    const [action] = await store.clientActions.list(ownerId, { runId });
    if (!action) return;
    const { id: actionId } = action;
    const secretHash = isForged ? "forged" : `hash of ${actionId}`;
    await store.clientActions.finish(ownerId, { runId, actionId, secretHash, result });
    accepted.push(result);
  };
const answer =
  (typed: string): Act =>
  async ({ loop: { store }, runId, accepted }) => {
    const [question] = await store.questions.list(ownerId, { runId });
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

/** The result of the only call of the run, if it was made. */
function resultIn(events: readonly RunEvent[]) {
  return events.flatMap((event) =>
    event.type === "tool" && event.payload.phase === "end" ? [event.payload] : [],
  )[0];
}

/** Returns the outcome of the action. */
async function judgeClientAction(played: PlayedRun, seed: number): Promise<unknown> {
  const events = await eventsOfEndedRun(played);
  const { accepted, loop, runId } = played;
  const results = accepted.filter((text) => !text.startsWith("taken"));
  expect(results.length, `seed ${seed}`).toBeLessThan(2);
  expect(new Set(accepted).size - results.length, `seed ${seed}`).toBeLessThan(2);
  const end = resultIn(events);
  if (results.length === 1)
    expect(end, `seed ${seed}`).toMatchObject({ outcome: "completed", output: results[0] });
  else if (end) expect(end.outcome, `seed ${seed}`).not.toBe("completed");
  const actions = await loop.store.clientActions.list(ownerId, { runId });
  expect(actions.filter(({ endedAt }) => endedAt === null)).toEqual([]);
  const started = events.filter(
    (event) => event.type === "client_action" && event.payload.state === "pending",
  );
  expect(started).toHaveLength(actions.length);
  expect(actions.length).toBeLessThan(2);
  return end?.outcome;
}

/** Returns where the answer came from, or that the run was canceled. */
async function judgeQuestion(played: PlayedRun, seed: number): Promise<unknown> {
  const events = await eventsOfEndedRun(played);
  const { accepted, loop, runId } = played;
  expect(accepted.length, `seed ${seed}`).toBeLessThan(2);
  const closed = events.filter(
    (event) => event.type === "question" && event.payload.state !== "pending",
  );
  const questions = await loop.store.questions.list(ownerId, { runId });
  expect(questions.filter(({ state }) => state === "pending")).toEqual([]);
  expect(closed, `seed ${seed}`).toHaveLength(questions.length);
  const { status } = await loop.run(runId);
  if (status === "canceled") return status;
  const output = resultIn(events)?.output as { answer: unknown; from: unknown };
  expect(output, `seed ${seed}`).toMatchObject(
    accepted.length === 1
      ? { answer: accepted[0], from: "typed" }
      : { answer: null, from: "nobody" },
  );
  return output.from;
}

/** Returns whether the run heard words, or was canceled. */
async function judgeWords(played: PlayedRun, seed: number): Promise<string> {
  const events = await eventsOfEndedRun(played);
  const said = events.flatMap((event) =>
    event.type === "owner_message" ? [event.payload.messageId] : [],
  );
  expect(new Set(said), `seed ${seed}`).toEqual(new Set(played.accepted));
  expect(new Set(said).size, `seed ${seed}`).toBe(said.length);
  const heard = events.flatMap((event) =>
    event.type === "message" && event.payload.role === "user" && event.payload.messageId
      ? [event.payload.messageId]
      : [],
  );
  expect(new Set(heard).size, `seed ${seed}`).toBe(heard.length);
  const { status } = await played.loop.run(played.runId);
  if (status === "canceled") return status;
  expect(heard.toSorted(), `seed ${seed}`).toEqual(said.toSorted());
  return heard.length > 0 ? "heard" : "none";
}
