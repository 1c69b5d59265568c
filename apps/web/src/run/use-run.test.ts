import type { Client } from "@bron/client";
import type { EventView, PartialText } from "@bron/protocol";
import { expect, it } from "vitest";
import { mountHook, openPage, stubApi } from "../mount-hook.fixture.tsx";
import { testQueryClient } from "../render-hook.fixture.tsx";
import { useRun } from "./use-run.ts";

type Subscription = NonNullable<Parameters<Client["events"]>[1]>;

const event = (seq: number, type: string, payload: unknown) =>
  ({ runId: "r1", seq, createdAt: "2026-11-15T12:00:00.000Z", type, payload }) as EventView;
const stepStart = event(1, "step", { phase: "start", step: 1, attempt: 1, model: "m" });
const stepEnd = event(2, "step", { phase: "end", step: 1, attempt: 1, finish: "stop", calls: [] });

async function openRun() {
  // A hidden tab draws no frames, so batches arrive by a timer.
  openPage({ requestAnimationFrame: () => 1, cancelAnimationFrame: () => undefined });
  const queue: EventView[] = [];
  const wait: PromiseWithResolvers<void>[] = [];
  const subscriptions: { readonly runId: string; readonly options: Subscription }[] = [];
  stubApi({
    call: (async () => ({ events: [], lastSeq: 0 })) as unknown as Client["call"],
    async *events(runId: string, options: Subscription = {}) {
      subscriptions.push({ runId, options });
      for (;;) {
        const waiting = Promise.withResolvers<void>();
        wait.push(waiting);
        yield* queue.splice(0);
        await waiting.promise;
      }
    },
  });
  let runId = "r1";
  const run = mountHook(testQueryClient(), () => useRun(runId));
  const say = (text: PartialText) =>
    run.act(() => subscriptions.at(-1)?.options.onPartialText?.(text));
  await expect.poll(() => subscriptions.length).toBe(1);
  return {
    run,
    subscriptions,
    say,
    emit(...events: readonly EventView[]) {
      queue.push(...events);
      wait.shift()?.resolve();
    },
    fail: (error: Error) => wait.shift()?.reject(error),
    show(id: string) {
      runId = id;
      run.render();
    },
  };
}

const partial = (step: number, text: string, more: object = {}) =>
  ({ step, text, ...more }) as PartialText;

it("collects the events of the run in one timeline", async () => {
  const { run, emit } = await openRun();
  await expect.poll(() => run.current().timeline.seq).toBe(0);
  emit(stepStart, stepEnd);
  await expect.poll(() => run.current().timeline).toMatchObject({ seq: 2, endedStep: 1 });
});

it("shows what the model writes until its step is in the log", async () => {
  const { run, emit, say } = await openRun();
  say(
    partial(1, "Hel\u202Elo", {
      thoughts: { text: "Hm" },
      progress: [{ actionId: "a", message: "half" }],
    }),
  );
  await expect.poll(() => run.current().thoughts).toBe("Hm");
  expect(run.current().partialText).not.toContain("\u202E");
  expect([...run.current().progress]).toEqual([["a", "half"]]);
  emit(stepStart, stepEnd);
  await expect.poll(() => run.current().partialText).toBe("");
  expect(run.current().thoughts).toBe("");
  say(partial(2, "More"));
  await expect.poll(() => run.current().partialText).toBe("More");
});

it("says how it is connected, and why it is not", async () => {
  const { run, subscriptions, fail } = await openRun();
  run.act(() => subscriptions[0]?.options.onConnection?.("reconnecting"));
  expect(run.current().connection).toBe("reconnecting");
  await expect.poll(() => run.current().error).toBeUndefined();
  fail(new Error("signed out"));
  await expect.poll(() => run.current().error).toMatchObject({ message: "signed out" });
});

it("ends the subscription when another run is shown, and does not report that", async () => {
  const { run, subscriptions, emit, fail, show } = await openRun();
  show("r2");
  await expect.poll(() => subscriptions.length).toBe(2);
  expect(subscriptions.map(({ runId, options }) => [runId, options.signal?.aborted])).toEqual([
    ["r1", true],
    ["r2", false],
  ]);
  fail(new Error("aborted"));
  emit(stepStart);
  await expect.poll(() => run.current().timeline.seq).toBe(1);
  expect(run.current().error).toBeUndefined();
  run.unmount();
  expect(subscriptions[1]?.options.signal?.aborted).toBe(true);
});
