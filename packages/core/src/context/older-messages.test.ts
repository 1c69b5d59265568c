import { createLoopHarness } from "@bron/testing";
import { expect, it } from "vitest";

const ownerId = "local";

it("BR15 puts persona, summary, confirmed entries, older messages, tail and task in this order", async () => {
  const harness = createLoopHarness({
    script: ({ options }) => {
      const [system] = options.prompt;
      const isAuxiliary =
        system?.role === "system" && system.content.startsWith("[AUXILIARY CALL conversation]");
      return { text: isAuxiliary ? '{"summary":"They greeted."}' : "Done." };
    },
  });
  const { store } = harness;
  const [bron] = await store.brons.list(ownerId);
  await store.brons.change(ownerId, bron!.id, {
    systemPrompt: "You are brief.",
    memorySummary: "Mara runs a workshop.",
  });
  await store.memory.add(ownerId, { text: "Likes tea", kind: "fact", bronId: null });
  const { threadId, id } = await harness.create({ prompt: "Task 0" });
  await harness.advance(id);
  const summarized: number[] = [];
  for (let task = 1; task <= 22; task++) {
    const run = await harness.create({ prompt: `Task ${task}`, threadId });
    await harness.advance(run.id);
    const events = await harness.events(run.id);
    if (events.some(({ type }) => type === "summary")) summarized.push(task);
  }
  // Once for each span: not in each of the tasks that follow.
  expect(summarized).toEqual([16, 22]);
  const prompt = JSON.stringify(harness.model.calls.at(-1)?.prompt);
  const places = [
    "You are brief.",
    "Mara runs a workshop.",
    "Likes tea",
    "They greeted.",
    "Task 18",
    "[NEW TASK]",
    "Task 22",
  ].map((text) => prompt.indexOf(text));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places).not.toContain(-1);
  expect(prompt).not.toContain("Task 3");
});

it("BR15 keeps all that comes before the task within the cap, whatever is remembered", async () => {
  const harness = createLoopHarness({
    script: ({ options }) => ({
      text: JSON.stringify(options.prompt).includes("[AUXILIARY CALL")
        ? '{"summary":"Long."}'
        : "ä".repeat(4_000),
    }),
  });
  const { store } = harness;
  for (let index = 0; index < 200; index++)
    await store.memory.add(ownerId, {
      text: `${index} ${"ö".repeat(300)}`,
      kind: "fact",
      bronId: null,
    });
  const caps = { contextTokens: 5_000 };
  const { threadId, id } = await harness.create({ prompt: "Task 0" }, caps);
  await harness.advance(id);
  for (let task = 1; task <= 4; task++)
    await harness.advance((await harness.create({ prompt: `Task ${task}`, threadId }, caps)).id);
  const last = harness.model.calls.at(-1)?.prompt ?? [];
  expect(Buffer.byteLength(JSON.stringify(last))).toBeLessThan(5_000 * 3 + 1_000);
});

it("BR15 uses nothing that is remembered while memory is off", async () => {
  const harness = createLoopHarness({ script: () => ({ text: "Done." }) });
  const { store } = harness;
  const [bron] = await store.brons.list(ownerId);
  await store.brons.change(ownerId, bron!.id, { memorySummary: "A secret.", memoryOn: false });
  await store.memory.add(ownerId, { text: "Another secret", kind: "fact", bronId: null });
  await harness.advance((await harness.create()).id);
  expect(JSON.stringify(harness.model.calls)).not.toContain("secret");
});

const message = (id: number, trusted: boolean) =>
  ({ id: String(id), role: "user", content: `Message ${id}`, trusted }) as const;

it.each([
  ["a summary", { messages: [message(9, true)], older: { text: "x", upTo: "8", trusted: false } }],
  [
    "a message that is summarized now",
    { messages: Array.from({ length: 40 }, (_, index) => message(index + 1, index !== 0)) },
  ],
])("X4 %s that is untrusted makes the run untrusted", async (_, tail) => {
  const harness = createLoopHarness({ script: () => ({ text: '{"summary":"They greeted."}' }) });
  const run = await harness.create();
  const threads = { ...harness.store.threads, tail: () => Promise.resolve(tail) };
  await harness.advance(run.id, { threads });
  const events = await harness.events(run.id);
  expect(events.map(({ payload }) => payload)).toContainEqual(
    expect.objectContaining({ role: "assistant", final: true, trusted: false }),
  );
});
