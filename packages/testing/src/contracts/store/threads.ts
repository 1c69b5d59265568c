import { contextNote } from "@bron/core";
import { expect, it } from "vitest";
import { appendOf, freshOwner, type StoreHarness, tailOf } from "./store-harness.ts";

export function testThreads({ claim, createRun, store }: StoreHarness): void {
  it("RT12 returns the last messages of a thread before the run, newest last, up to a limit", async () => {
    const ownerId = freshOwner();
    const first = await createRun(ownerId, { input: { prompt: "one" } });
    const { lease } = await claim(first.id);
    await store.log.append(
      appendOf(
        lease,
        2,
        [
          {
            type: "message",
            payload: {
              role: "assistant",
              content: "first answer",
              step: 1,
              final: true,
              parts: [],
            },
          },
          { type: "status", payload: { status: "completed" } },
        ],
        { release: "end" },
      ),
    );
    const second = await createRun(ownerId, {
      input: { prompt: "two", threadId: first.threadId },
    });
    const third = await createRun(ownerId, {
      input: { prompt: "three", threadId: first.threadId },
    });
    const messages = [
      { role: "user", content: "one", trusted: true },
      { role: "assistant", content: "first answer", trusted: false },
      { role: "user", content: "two", trusted: true },
    ];
    expect(await tailOf(store, ownerId, first.threadId, third.id, 10)).toEqual(messages);
    expect(await tailOf(store, ownerId, first.threadId, third.id, 2)).toEqual(messages.slice(1));
    expect(await tailOf(store, ownerId, first.threadId, second.id, 10)).toEqual(
      messages.slice(0, 2),
    );
    expect(await tailOf(store, ownerId, first.threadId, first.id, 10)).toEqual([]);
    expect(await tailOf(store, ownerId, first.threadId, third.id, 0)).toEqual([]);
  });

  it("X3 returns what the owner typed before the run, newest last, up to a limit", async () => {
    const ownerId = freshOwner();
    const first = await createRun(ownerId, { input: { prompt: "one", context: ["From: eve"] } });
    const { lease } = await claim(first.id);
    const said = { role: "assistant" as const, content: "answer", step: 1, parts: [] };
    const added = { role: "user" as const, content: "> two", asTyped: true as const };
    await store.log.append(
      appendOf(lease, 2, [
        { type: "message", payload: { ...said, final: false } },
        { type: "message", payload: added },
      ]),
    );
    const { threadId } = first;
    const program = await createRun(ownerId, {
      input: { prompt: "three", threadId },
      program: "CI",
    });
    const last = await createRun(ownerId, { input: { prompt: "four", threadId } });
    const typed = (runId: string, limit = 10, owner = ownerId) =>
      store.threads.typedBefore(owner, threadId, runId, limit);
    const all = [{ content: "one" }, { content: "> two", asTyped: true }];
    expect(await typed(last.id)).toEqual(all);
    expect(await typed(last.id, 1)).toEqual(all.slice(1));
    expect(await typed(program.id)).toEqual(all);
    expect(await typed(first.id)).toEqual([]);
    expect(await typed(last.id, 10, freshOwner())).toEqual([]);
  });

  it("X4 keeps the context of a task and of a message apart from the owner's words", async () => {
    const ownerId = freshOwner();
    const input = { prompt: "What is this?", context: ["From: eve", "a \u0000"] };
    const first = await createRun(ownerId, { input });
    const { lease, events } = await claim(first.id);
    expect(events[1]?.payload).toEqual({
      role: "user",
      content: "What is this?",
      context: ["From: eve", "a \uFFFD"],
    });
    const said = { role: "user" as const, content: "And this?", context: ["b"] };
    await store.log.append(appendOf(lease, 2, [{ type: "message", payload: said }]));
    const second = await createRun(ownerId, {
      input: { prompt: "two", threadId: first.threadId },
    });
    expect(await tailOf(store, ownerId, first.threadId, second.id, 10)).toEqual([
      { role: "user", content: "What is this?", trusted: true },
      { role: "user", content: contextNote(["From: eve", "a \uFFFD"]), trusted: false },
      { role: "user", content: "And this?", trusted: true },
      { role: "user", content: contextNote(["b"]), trusted: false },
    ]);
  });

  it("X4 starts a task with context and earlier messages in order", async () => {
    const ownerId = freshOwner();
    const earlier = [{ role: "user" as const, content: "before" }];
    const first = await createRun(ownerId, { input: { prompt: "one", context: ["c"] }, earlier });
    const second = await createRun(ownerId, { input: { prompt: "two", threadId: first.threadId } });
    const tail = await tailOf(store, ownerId, first.threadId, second.id, 10);
    expect(tail.map(({ content }) => content)).toEqual(["before", "one", contextNote(["c"])]);
  });

  it("RT3 starts a thread with earlier messages, and adds none to a thread that has messages", async () => {
    const ownerId = freshOwner();
    const earlier = [
      { role: "user" as const, content: "before" },
      { role: "assistant" as const, content: "said \u0000" },
    ];
    const first = await createRun(ownerId, { input: { prompt: "one" }, earlier });
    const messages = [
      { role: "user", content: "before", trusted: true },
      { role: "assistant", content: expect.stringMatching(/^said/), trusted: false },
    ];
    expect(await tailOf(store, ownerId, first.threadId, first.id, 10)).toEqual(messages);
    expect(await tailOf(store, ownerId, first.threadId, first.id, 1)).toEqual(messages.slice(1));
    const second = await createRun(ownerId, {
      input: { prompt: "two", threadId: first.threadId },
      earlier: [{ role: "user", content: "forged" }],
    });
    expect(await tailOf(store, ownerId, first.threadId, second.id, 10)).toEqual([
      ...messages,
      { role: "user", content: "one", trusted: true },
    ]);
  });
}
