import { upkeepRun } from "@bron/core";
import { defaultCaps, type NewEvent, type RunView } from "@bron/protocol";
import { expect, it } from "vitest";
import { appendOf, freshOwner, type StoreHarness } from "./store-harness.ts";

export function testUpkeep({ store, claim, createRun, under }: StoreHarness): void {
  const end = async (run: RunView, events: NewEvent[] = [], extra = {}) => {
    const { lease, lastSeq } = await claim(run.id, extra);
    const ended = { type: "status" as const, payload: { status: "completed" as const } };
    const request = appendOf(lease, lastSeq, [...events, ended], { release: "end" });
    expect(await store.log.append(request)).toMatchObject({ ok: true });
    return run;
  };
  const endedRun = async (ownerId: string, extra = {}) => end(await createRun(ownerId, extra));
  const start = async (afterMs = 0) =>
    await store.upkeep.start({ afterMs, run: upkeepRun(defaultCaps), limit: 10_000 });
  /** The upkeep runs that were started since, as the waker saw them. */
  const startedBy = async (ownerId: string, afterMs = 0): Promise<RunView[]> => {
    const before = under.wakes.length;
    await start(afterMs);
    const mine = under.wakes.slice(before).filter((wake) => wake.ownerId === ownerId);
    const runs = await Promise.all(mine.map(({ runId }) => store.runs.get(ownerId, runId)));
    return runs.filter((run) => run !== undefined);
  };
  const summary = (text: string, version = 0): NewEvent => ({
    type: "summary",
    payload: { of: "memory", text, version },
  });
  const bronOf = async (ownerId: string) => (await store.brons.list(ownerId))[0]!;

  it("BR15 shares one upkeep run between the tasks of a Bron that ended, and starts it once", async () => {
    const ownerId = freshOwner();
    await endedRun(ownerId, { input: { prompt: "I like tea" } });
    await endedRun(ownerId, { input: { prompt: "Call me Mara" } });
    const [run, ...others] = await startedBy(ownerId);
    expect(others).toEqual([]);
    expect(await startedBy(ownerId)).toEqual([]);
    expect(await store.upkeep.inputOf(ownerId, run!.id)).toEqual({
      summary: "",
      version: 0,
      texts: [{ content: "I like tea" }, { content: "Call me Mara" }],
    });
    expect(await store.upkeep.inputOf(freshOwner(), run!.id)).toBeUndefined();
    // A Bron has one at a time.
    await endedRun(ownerId);
    expect(await startedBy(ownerId)).toEqual([]);
    await end(run!, [summary("Likes tea.")]);
    expect(await startedBy(ownerId)).toHaveLength(1);
  });

  it("BR15 starts one upkeep run, however many processes look for it", async () => {
    const ownerId = freshOwner();
    await endedRun(ownerId);
    const before = under.wakes.length;
    await Promise.all([start(), start(), start(), start()]);
    expect(under.wakes.slice(before).filter((wake) => wake.ownerId === ownerId)).toHaveLength(1);
  });

  it("BR15 waits after the first end, so that several ends are together", async () => {
    const ownerId = freshOwner();
    await endedRun(ownerId);
    expect(await startedBy(ownerId, 60_000)).toEqual([]);
    await under.passTime(40_000);
    await endedRun(ownerId);
    await under.passTime(30_000);
    const [run] = await startedBy(ownerId, 60_000);
    expect((await store.upkeep.inputOf(ownerId, run!.id))?.texts).toHaveLength(2);
  });

  it("BR15 reads the owner's words only, and starts nothing without any", async () => {
    const ownerId = freshOwner();
    await endedRun(ownerId, { input: { prompt: "from a program" }, program: "CI" });
    expect(await startedBy(ownerId)).toEqual([]);
    const run = await createRun(ownerId, { input: { prompt: "Mine", context: ["From: eve"] } });
    const said = { role: "assistant" as const, step: 1, parts: [], final: true };
    await end(run, [{ type: "message", payload: { ...said, content: "model", trusted: true } }]);
    const [upkeep] = await startedBy(ownerId);
    expect((await store.upkeep.inputOf(ownerId, upkeep!.id))?.texts).toEqual([{ content: "Mine" }]);
    // Neither the upkeep run itself nor a child run deserves one.
    await end(upkeep!);
    expect(await startedBy(ownerId)).toEqual([]);
  });

  it("BR15 hides an upkeep run from every list, and counts its cost", async () => {
    const ownerId = freshOwner();
    const task = await endedRun(ownerId);
    const [upkeep] = await startedBy(ownerId);
    expect((await store.runs.list(ownerId, {})).map(({ id }) => id)).toEqual([task.id]);
    expect((await store.threads.list(ownerId, { limit: 10 })).map(({ id }) => id)).toEqual([
      task.threadId,
    ]);
    expect(await store.runs.counts(ownerId)).toEqual({ completed: 1 });
    expect(await store.runs.changes([ownerId], { runIds: [upkeep!.id], active: true })).toEqual([]);
    expect(await bronOf(ownerId)).toMatchObject({
      status: "completed",
      latestRun: { id: task.id },
    });
    const { lease, lastSeq } = await claim(upkeep!.id);
    const ended = { type: "status" as const, payload: { status: "completed" as const } };
    await store.log.append(
      appendOf(lease, lastSeq, [ended], { release: "end", chargedMicrousd: 70 }),
    );
    const { days } = await store.usage.byDay(ownerId, { days: 1, zone: "UTC" });
    expect(days).toMatchObject([{ runs: 1, costMicrousd: 70 }]);
  });

  it("BR15 writes the summary with the end of its run", async () => {
    const ownerId = freshOwner();
    await endedRun(ownerId);
    const [upkeep] = await startedBy(ownerId);
    await end(upkeep!, [summary("Likes tea.")]);
    expect(await bronOf(ownerId)).toMatchObject({
      memorySummary: "Likes tea.",
      memoryBefore: "",
      memoryUpdatedAt: expect.any(String),
    });
  });

  it("BR15 repeats the work if the owner has changed the summary meanwhile", async () => {
    const ownerId = freshOwner();
    await endedRun(ownerId);
    const [upkeep] = await startedBy(ownerId);
    const { id } = await bronOf(ownerId);
    await store.brons.change(ownerId, id, { memorySummary: "Mine." });
    await end(upkeep!, [summary("Old.")]);
    expect(await bronOf(ownerId)).toMatchObject({ memorySummary: "Mine." });
    const [again] = await startedBy(ownerId);
    expect(await store.upkeep.inputOf(ownerId, again!.id)).toMatchObject({
      summary: "Mine.",
      texts: [{ content: "say hello" }],
    });
    await end(again!, [summary("Both.", 1)]);
    expect(await bronOf(ownerId)).toMatchObject({ memorySummary: "Both." });
  });

  it("BR15 passes over a Bron whose memory is switched off", async () => {
    const ownerId = freshOwner();
    await endedRun(ownerId);
    const { id } = await bronOf(ownerId);
    await store.brons.change(ownerId, id, { memoryOn: false });
    expect(await startedBy(ownerId)).toEqual([]);
    await store.brons.change(ownerId, id, { memoryOn: true });
    expect(await startedBy(ownerId)).toEqual([]);
    expect(await claim((await createRun(ownerId)).id)).toMatchObject({ run: { memoryOn: true } });
  });

  it("BR15 keeps a summary of older messages with its labels, beside the messages", async () => {
    const ownerId = freshOwner();
    const first = await createRun(ownerId, { input: { prompt: "one" } });
    const { threadId } = first;
    const second = await createRun(ownerId, { input: { prompt: "two", threadId } });
    const third = await createRun(ownerId, { input: { prompt: "three", threadId } });
    const before = await store.threads.tail(ownerId, threadId, third.id, 10);
    expect(before.older).toBeUndefined();
    const [one, two] = before.messages;
    const { lease, lastSeq } = await claim(third.id);
    const of = "conversation" as const;
    const event = (text: string, upTo: string): NewEvent => ({
      type: "summary",
      payload: { of, text, upTo, trusted: false },
    });
    await store.log.append(appendOf(lease, lastSeq, [event("Said one.", one!.id)]));
    expect(await store.threads.tail(ownerId, threadId, third.id, 10)).toEqual({
      messages: [one, two],
      older: { text: "Said one.", upTo: one!.id, trusted: false },
    });
    // A summary of fewer messages does not replace it. The second run sees no summary of itself.
    await store.log.append(appendOf(lease, lastSeq + 1, [event("Less.", "0")]));
    await store.log.append(appendOf(lease, lastSeq + 2, [event("Both.", two!.id)]));
    expect(await store.threads.tail(ownerId, threadId, third.id, 10)).toMatchObject({
      messages: [one, two],
      older: { text: "Both." },
    });
    expect(await store.threads.tail(ownerId, threadId, second.id, 10)).toEqual({ messages: [one] });
  });
}
