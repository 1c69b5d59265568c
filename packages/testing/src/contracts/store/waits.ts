import { omitUndefined, type NewEvent, type WaitsFor } from "@bron/protocol";
import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { appendOf, freshOwner, type StoreHarness } from "./store-harness.ts";

const expiresAt = "2100-01-01T00:00:00.000Z";

/** The events after which a run waits. */
const asks: Readonly<Record<"question" | "sign_in" | "program", (actionId: string) => NewEvent[]>> =
  {
    question: (actionId) => [
      {
        type: "question",
        payload: { questionId: actionId, actionId, state: "pending", text: "Which?", expiresAt },
      },
      { type: "status", payload: { status: "awaiting_confirmation" } },
    ],
    sign_in: () => [{ type: "status", payload: { status: "awaiting_auth" } }],
    program: (actionId) => [
      {
        type: "client_action",
        payload: {
          actionId,
          state: "pending",
          program: "page",
          tool: "look",
          input: {},
          expiresAt,
          ifExpired: "failed",
          secretHash: "hash",
        },
      },
      { type: "status", payload: { status: "executing" } },
    ],
  };

export function testWaits({ claim, createRun, parkedRun, store }: StoreHarness): void {
  const parkOn = async (ownerId: string, kind: keyof typeof asks, parentRunId?: string) => {
    const run = await createRun(
      ownerId,
      parentRunId === undefined
        ? {}
        : { parent: { runId: parentRunId, failureMode: "best_effort" } },
    );
    const { lease, lastSeq } = await claim(run.id);
    const actionId = randomUUID();
    const calls = [{ actionId, callId: "c", tool: "look", input: {} }];
    const events: NewEvent[] = [
      {
        type: "step",
        payload: { phase: "end", step: 1, attempt: 1, finish: "tool-calls", calls },
      },
      ...asks[kind](actionId),
    ];
    await store.log.append(appendOf(lease, lastSeq, events, { release: "park" }));
    return { run, actionId };
  };
  const park = async (runId: string) => {
    const { lease, lastSeq } = await claim(runId);
    await store.log.append(
      appendOf(lease, lastSeq, [{ type: "status", payload: { status: "executing" } }], {
        release: "park",
      }),
    );
  };
  /** As every query of a run tells it. */
  const waitsFor = async (ownerId: string, runId: string) => {
    const run = await store.runs.get(ownerId, runId);
    const listed = (await store.runs.list(ownerId, {})).find(({ id }) => id === runId);
    const [changed] = await store.runs.changes([ownerId], { runIds: [runId] });
    expect(listed?.waitsFor).toEqual(run?.waitsFor);
    expect(changed?.run.waitsFor).toEqual(run?.waitsFor);
    return run?.waitsFor;
  };

  it.for<[keyof typeof asks, WaitsFor]>([
    ["question", { kind: "question" }],
    ["sign_in", { kind: "sign_in" }],
    ["program", { kind: "program", program: "page" }],
  ])("BR16 tells that a run, and its parent, wait for: %s", async ([kind, expected]) => {
    const ownerId = freshOwner();
    const parent = await createRun(ownerId);
    const { run } = await parkOn(ownerId, kind, parent.id);
    expect(await waitsFor(ownerId, run.id)).toEqual(expected);
    // A run that a worker advances waits for nothing.
    expect(await waitsFor(ownerId, parent.id)).toBeNull();
    await park(parent.id);
    expect(await waitsFor(ownerId, parent.id)).toEqual(expected);
    expect(await store.threads.get(ownerId, parent.threadId)).toMatchObject({ waitsFor: expected });
    expect((await store.brons.get(ownerId, parent.bronId))?.latestRun).toMatchObject({
      id: parent.id,
      waitsFor: expected,
    });
  });

  it("BR16 names the most urgent of several waits, until it is over", async () => {
    const ownerId = freshOwner();
    const parent = await createRun(ownerId);
    await parkOn(ownerId, "program", parent.id);
    const asking = await parkOn(ownerId, "question", parent.id);
    const { approvalId, digest, run } = await parkedRun(ownerId, 60_000, {
      parent: { runId: parent.id, failureMode: "best_effort" },
    });
    await park(parent.id);
    expect(await waitsFor(ownerId, parent.id)).toEqual({ kind: "approval" });
    await store.approvals.decide({ ownerId, approvalId, digest, approved: true });
    expect(await waitsFor(ownerId, run.id)).toBeNull();
    expect(await waitsFor(ownerId, parent.id)).toEqual({ kind: "question" });
    expect(await store.threads.get(ownerId, parent.threadId)).toMatchObject({
      waitsFor: { kind: "question" },
    });
    await store.questions.answer(ownerId, asking.actionId, { typed: "this" });
    expect(await waitsFor(ownerId, parent.id)).toEqual({ kind: "program", program: "page" });
  });

  it("BR16 lists the child runs of a run, newest first", async () => {
    const ownerId = freshOwner();
    const parent = await createRun(ownerId);
    const first = await createRun(ownerId, {
      parent: { runId: parent.id, failureMode: "best_effort" },
    });
    const second = await createRun(ownerId, {
      parent: { runId: parent.id, failureMode: "best_effort" },
    });
    await createRun(ownerId, { parent: { runId: first.id, failureMode: "best_effort" } });
    const idsOf = async (owner: string, parentRunId: string, before?: string) =>
      (
        await store.runs.list(owner, {
          parentRunId,
          ...omitUndefined({ before }),
        })
      ).map(({ id }) => id);
    expect(await idsOf(ownerId, parent.id)).toEqual([second.id, first.id]);
    expect(await idsOf(ownerId, parent.id, second.id)).toEqual([first.id]);
    expect(await idsOf(ownerId, second.id)).toEqual([]);
    expect(await idsOf(freshOwner(), parent.id)).toEqual([]);
  });
}
