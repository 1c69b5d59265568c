import type { NewEvent } from "@bron/protocol";
import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { appendOf, freshOwner, type StoreHarness } from "./store-harness.ts";

export function testQuestions({ claim, createRun, store }: StoreHarness): void {
  /** A parked run with one pending question. */
  const ask = async (ownerId: string, { expiresAt = "2100-01-01T00:00:00.000Z" } = {}) => {
    const run = await createRun(ownerId);
    const { lease } = await claim(run.id);
    const [actionId, questionId] = [randomUUID(), randomUUID()];
    const events: NewEvent[] = [
      {
        type: "step",
        payload: {
          phase: "end",
          step: 1,
          attempt: 1,
          finish: "tool-calls",
          calls: [{ actionId, callId: "c", tool: "ask_user", input: {} }],
        },
      },
      {
        type: "question",
        payload: {
          questionId,
          actionId,
          state: "pending",
          text: "Which Eva?",
          choices: ["a", "b"],
          schema: { type: "string", maxLength: 20 },
          default: "b",
          expiresAt,
        },
      },
    ];
    expect(await store.log.append(appendOf(lease, 2, events, { release: "park" }))).toMatchObject({
      ok: true,
    });
    return { run, questionId, actionId };
  };

  it("keeps a question with the run, and lists those that are pending", async () => {
    const ownerId = freshOwner();
    const { run, questionId, actionId } = await ask(ownerId);
    const { questionId: second } = await ask(ownerId);
    expect(await store.questions.get(ownerId, questionId)).toEqual({
      id: questionId,
      runId: run.id,
      actionId,
      state: "pending",
      text: "Which Eva?",
      choices: ["a", "b"],
      schema: { type: "string", maxLength: 20 },
      default: "b",
      answer: null,
      createdAt: expect.any(String),
      expiresAt: "2100-01-01T00:00:00.000Z",
      answeredAt: null,
    });
    const ids = async (options: Parameters<typeof store.questions.list>[1]) =>
      (await store.questions.list(ownerId, options)).map(({ id }) => id);
    expect(await ids({})).toEqual([questionId, second]);
    expect(await ids({ runId: run.id })).toEqual([questionId]);
    expect(await ids({ after: questionId })).toEqual([second]);
    expect(await ids({ idPrefix: second.slice(0, 8) })).toEqual([second]);
    await store.questions.answer(ownerId, questionId, { choice: "a" });
    expect(await ids({ pendingOnly: true })).toEqual([second]);
    expect(await store.questions.list(freshOwner(), {})).toEqual([]);
    expect(await store.questions.get(freshOwner(), questionId)).toBeUndefined();
  });

  it("takes one of many answers that arrive at once, and wakes the run", async () => {
    const ownerId = freshOwner();
    const { run, questionId, actionId } = await ask(ownerId);
    const answers = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) =>
        store.questions.answer(ownerId, questionId, { typed: `answer ${index}` }),
      ),
    );
    const taken = answers.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    expect(taken).toHaveLength(1);
    for (const one of answers)
      if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "conflict" });
    const typed = taken[0]?.answer;
    expect(await store.questions.get(ownerId, questionId)).toMatchObject({
      state: "answered",
      answer: typed,
      answeredAt: expect.any(String),
    });
    expect(await store.runs.events(ownerId, run.id, 4)).toMatchObject([
      {
        type: "question",
        payload: { questionId, actionId, state: "answered", typed, by: ownerId },
      },
    ]);
    expect(await store.runs.get(ownerId, run.id)).toMatchObject({ runnable: true });
  });

  it("expires a question that is due, once", async () => {
    const ownerId = freshOwner();
    const { run, questionId } = await ask(ownerId, { expiresAt: "2020-01-01T00:00:00.000Z" });
    await expect(store.questions.answer(ownerId, questionId, { typed: "x" })).rejects.toMatchObject(
      { code: "conflict" },
    );
    expect(await store.questions.expireDue()).toBeGreaterThanOrEqual(1);
    await store.questions.expireDue();
    expect(await store.questions.get(ownerId, questionId)).toMatchObject({ state: "expired" });
    expect(await store.runs.events(ownerId, run.id, 4)).toMatchObject([
      { type: "question", payload: { questionId, state: "expired" } },
    ]);
  });
}
