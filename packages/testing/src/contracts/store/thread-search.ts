import { searchWords, type NewRun } from "@bron/core";
import type { NewEvent, RunOutcome, ThreadState } from "@bron/protocol";
import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { appendOf, freshOwner, type StoreHarness } from "./store-harness.ts";

/** The search of threads and the state in which the owner finds them. */
export function testThreadSearch(harness: StoreHarness): void {
  const { claim, createRun, parkedRun, store, under } = harness;

  const answer = (content: string): NewEvent => ({
    type: "message",
    payload: {
      role: "assistant",
      content,
      parts: [{ type: "text", text: content }],
      final: true,
      step: 1,
    },
  });
  const end = async (
    runId: string,
    events: readonly NewEvent[] = [],
    outcome: RunOutcome = "done",
  ) => {
    const { lease, lastSeq } = await claim(runId);
    const ended: NewEvent = { type: "status", payload: { status: "completed", outcome } };
    const appended = await store.log.append(
      appendOf(lease, lastSeq, [...events, ended], { release: "end" }),
    );
    expect(appended).toMatchObject({ ok: true });
  };
  const endedWith = async (ownerId: string, words: string, extra: Partial<NewRun> = {}) => {
    const run = await createRun(ownerId, extra);
    await end(run.id, [answer(words)]);
    return run;
  };
  const find = async (ownerId: string, words: readonly string[], archived?: boolean) =>
    await store.threads.list(ownerId, { limit: 10, words, archived });
  const idsOf = (threads: readonly { readonly id: string }[]) => threads.map(({ id }) => id);

  /** A run that sends a mail to Priya and has not ended. */
  const sender = async (ownerId: string, extra: Partial<NewRun> = {}) => {
    const run = await createRun(ownerId, extra);
    const { lease, lastSeq } = await claim(run.id);
    const [actionId, effectId] = [randomUUID(), randomUUID()];
    const effect = { effectId, actionId, tool: "send", digest: "sha256:1" };
    const prepared = {
      to: ["Priya Raman <priya@lisbon-trips.example>"],
      subject: "Zeppelin",
      raw: "cmF3",
    };
    const calls = [{ callId: "c1", tool: "send", input: {}, actionId }];
    await store.log.append(
      appendOf(lease, lastSeq, [
        {
          type: "step",
          payload: { phase: "end", step: 1, attempt: 1, finish: "tool-calls", calls },
        },
        {
          type: "effect",
          payload: { ...effect, state: "attempting", prepared, preview: "a mail" },
        },
      ]),
    );
    const finish = async (state: "done" | "failed") =>
      await store.log.append(
        appendOf(lease, lastSeq + 2, [{ type: "effect", payload: { ...effect, state } }]),
      );
    return { run, finish };
  };

  it("RT12 finds a thread by a word of its title, its prompt and its answer", async () => {
    const ownerId = freshOwner();
    const { threadId } = await endedWith(ownerId, "The café in Ålesund: open <until> 22/nine!", {
      title: "Dinner plans",
      input: { prompt: "where can I eat herring?" },
    });
    const other = await endedWith(ownerId, "Nothing to see.");
    for (const words of [
      ["dinner"],
      ["plans", "herr"],
      ["herring", "open"],
      ["ålesund"],
      ["until"],
      ["nine"],
      ["caf"],
    ])
      expect([words, idsOf(await find(ownerId, words))]).toEqual([words, [threadId]]);
    for (const words of [["herr", "dinner"], ["ering"], ["nowhere"], ["dinner", "nothing"]])
      expect([words, idsOf(await find(ownerId, words))]).toEqual([words, []]);
    expect(await find(ownerId, ["herring", "open"])).toMatchObject([
      { snippet: "The café in Ålesund: open <until> 22/nine!" },
    ]);
    expect(await find(ownerId, ["dinner"])).toMatchObject([{ snippet: null }]);
    expect(new Set(idsOf(await find(ownerId, [])))).toEqual(new Set([other.threadId, threadId]));
    expect(await find(freshOwner(), ["herring"])).toEqual([]);
    await store.threads.update(ownerId, threadId, { title: "Norway" });
    expect(idsOf(await find(ownerId, ["norway", "herring"]))).toEqual([threadId]);
    await store.threads.delete(ownerId, threadId);
    expect(await find(ownerId, ["herring"])).toEqual([]);
  });

  it.each([
    "£7,026.00",
    "€1.250,50",
    "¥300",
    "480 ₽",
    "5×8",
    "top−down",
    "12°",
    "one\u00a0two",
    "→next",
    "Acme™",
    "§12",
    "‚low‘",
  ])("RT12 finds %s as it was typed", async (typed) => {
    const ownerId = freshOwner();
    const { threadId } = await endedWith(ownerId, `The total is ${typed}, due on Monday.`);
    expect(idsOf(await find(ownerId, searchWords(typed)))).toEqual([threadId]);
    expect(await find(ownerId, searchWords(`${typed}9`))).toEqual([]);
  });

  it("RT12 finds a thread by whom something was sent to, once it was sent", async () => {
    const ownerId = freshOwner();
    const { run, finish } = await sender(ownerId);
    expect(await find(ownerId, ["priya"])).toEqual([]);
    await finish("done");
    for (const words of [["priya"], ["lisbon", "trips"], ["raman", "zepp"]])
      expect([words, await find(ownerId, words)]).toMatchObject([
        words,
        [{ id: run.threadId, snippet: expect.stringMatching(/priya/i) }],
      ]);
    expect(await find(ownerId, ["cmf3"])).toEqual([]);
    const failed = await sender(freshOwner());
    await failed.finish("failed");
    expect(await find(failed.run.ownerId, ["priya"])).toEqual([]);
  });

  it("RT12 finds the conversation of a child run by the child run's words", async () => {
    const ownerId = freshOwner();
    const parent = await createRun(ownerId);
    const child = await endedWith(ownerId, "A quokka.", {
      parent: { runId: parent.id, failureMode: "best_effort" },
    });
    const below = { runId: parent.id, failureMode: "best_effort" as const };
    await (await sender(ownerId, { parent: below })).finish("done");
    expect(await find(ownerId, ["quokka"])).toMatchObject([
      { id: parent.threadId, snippet: "A quokka." },
    ]);
    expect(idsOf(await find(ownerId, ["priya"]))).toEqual([parent.threadId]);
    expect(child.threadId).not.toBe(parent.threadId);
  });

  it("RT12 finds a conversation once, and by words from its later tasks", async () => {
    const ownerId = freshOwner();
    const { threadId } = await endedWith(ownerId, "One walrus.");
    await endedWith(ownerId, "Two walruses.", { input: { prompt: "more", threadId } });
    expect(await find(ownerId, ["walrus"])).toMatchObject([
      { id: threadId, snippet: "Two walruses." },
    ]);
  });

  it("RT12 keeps an answer that is too long to search, and finds it by its beginning", async () => {
    const ownerId = freshOwner();
    const long = Array.from({ length: 60_000 }, (_, place) => `w${place}x`).join(" ");
    const { id, threadId } = await createRun(ownerId);
    for (let round = 0; round < 4; round++) {
      const { lease, lastSeq } = await claim(id);
      expect(
        await store.log.append(
          appendOf(lease, lastSeq, [answer(`albatross ${"ä".repeat(3_000)} ${round} ${long}`)]),
        ),
      ).toMatchObject({ ok: true });
      await under.passTime(61_000);
    }
    await end(id);
    expect(idsOf(await find(ownerId, ["albatross"]))).toEqual([threadId]);
  });

  it("RT12 hides archived threads unless they are asked for, until the owner writes again", async () => {
    const ownerId = freshOwner();
    const first = await endedWith(ownerId, "A walrus.");
    const second = await endedWith(ownerId, "A walrus too.");
    await store.threads.update(ownerId, first.threadId, { archived: true });
    const seen = async (archived?: boolean) => [
      idsOf(await find(ownerId, [], archived)).length,
      idsOf(await find(ownerId, ["walrus"], archived)),
    ];
    expect(await seen(false)).toEqual([1, [second.threadId]]);
    expect(await seen(true)).toEqual([1, [first.threadId]]);
    expect((await seen())[0]).toBe(2);
    const { archivedAt } = (await store.threads.get(ownerId, first.threadId))!;
    expect(archivedAt).not.toBeNull();
    await under.passTime(5);
    await store.threads.update(ownerId, first.threadId, { archived: true, title: "again" });
    const again = await store.threads.get(ownerId, first.threadId);
    expect(again).toMatchObject({ title: "again" });
    await createRun(ownerId, { input: { prompt: "more", threadId: first.threadId } });
    expect(await store.threads.get(ownerId, first.threadId)).toMatchObject({ archivedAt: null });
    await store.threads.update(ownerId, second.threadId, { archived: true });
    await store.threads.update(ownerId, second.threadId, { archived: false });
    expect((await seen(true))[0]).toBe(0);
  });

  it("RT12 lists pinned threads first, in pages", async () => {
    const ownerId = freshOwner();
    const threads: string[] = [];
    for (let place = 0; place < 6; place++) {
      threads.push((await createRun(ownerId)).threadId);
      await under.passTime(5);
    }
    const [a, b, c, d, e, f] = threads as [string, string, string, string, string, string];
    for (const id of [b, d, e]) await store.threads.update(ownerId, id, { pinned: true });
    await store.threads.update(ownerId, e, { pinned: false });
    const pages: string[][] = [];
    for (let before; pages.length < 4;) {
      const page = await store.threads.list(ownerId, { limit: 2, before });
      pages.push(idsOf(page));
      before = page.at(-1);
      if (pages.length === 1) await createRun(ownerId);
    }
    expect(pages).toEqual([[d, b], [expect.any(String), f], [e, c], [a]]);
  });

  it("BR1 lists threads by what they need, and by Bron", async () => {
    const ownerId = freshOwner();
    const waiting = await parkedRun(ownerId);
    const parent = await createRun(ownerId);
    await parkedRun(ownerId, 60_000, {
      parent: { runId: parent.id, failureMode: "best_effort" },
    });
    const working = await createRun(ownerId);
    const ended: Partial<Record<RunOutcome, string>> = {};
    for (const outcome of ["done", "partly_done", "could_not", "needs_answer", "denied"] as const) {
      const run = await createRun(ownerId);
      await end(run.id, [], outcome);
      ended[outcome] = run.threadId;
    }
    const inState = async (state: ThreadState) => {
      const found = await store.threads.list(ownerId, { limit: 20, state });
      return new Set(idsOf(found));
    };
    expect(await inState("needs_you")).toEqual(
      new Set([waiting.run.threadId, parent.threadId, ended.needs_answer]),
    );
    expect(await inState("working")).toEqual(new Set([working.threadId]));
    expect(await inState("done")).toEqual(new Set([ended.done]));
    expect(await inState("not_done")).toEqual(
      new Set([ended.partly_done, ended.could_not, ended.denied]),
    );
    expect(await store.threads.get(ownerId, parent.threadId)).toMatchObject({ pendingCount: 1 });
    expect(await store.threads.get(ownerId, working.threadId)).toMatchObject({ pendingCount: 0 });
    const ofBron = async (bronId: string) =>
      (await store.threads.list(ownerId, { limit: 20, bronId })).length;
    expect([await ofBron(working.bronId), await ofBron(randomUUID())]).toEqual([8, 0]);
  });
}
