import { expect, it } from "vitest";
import type { PartialText } from "@bron/protocol";
import { createPartialTextBoard, type PartialTextFrame } from "./partial-text-board.ts";

function boardOf() {
  let tell: (partial: PartialText) => void = () => undefined;
  const board = createPartialTextBoard((_ownerId, _runId, listener) => {
    tell = listener;
    return Promise.resolve(() => undefined);
  });
  const read = () => {
    const frames: PartialTextFrame[] = [];
    const unsubscribe = board.subscribe({ ownerId: "local", runId: "r" }, (frame) =>
      frames.push(frame),
    );
    return {
      unsubscribe,
      data: () =>
        frames.map(
          ({ bytes }) => JSON.parse(bytes.toString().split("data: ")[1] ?? "") as PartialText,
        ),
      texts: () => frames.map(({ bytes }) => /"text":"(.*)"/.exec(bytes.toString())?.[1]),
    };
  };
  return {
    board,
    read,
    tell: (step: number, attempt: number, text: string) => tell({ step, attempt, text }),
    show: (partial: PartialText) => tell(partial),
  };
}

it("sends a late reader no text of a step that is in the log, even if the text arrives later", () => {
  const { board, read, tell } = boardOf();
  const first = read();
  tell(1, 1, "Hello");
  board.finishStep("r", 1);
  tell(1, 1, "Hello there");
  const late = read();
  expect(first.texts()).toEqual(["Hello"]);
  expect(late.texts()).toEqual([]);
  first.unsubscribe();
  late.unsubscribe();
});

it("continues with a new attempt, and never returns to an older text", async () => {
  const { read, tell } = boardOf();
  const reader = read();
  tell(1, 1, "Hello there");
  tell(1, 1, "Hello");
  tell(1, 2, "Good");
  tell(1, 1, "Hello there, you");
  await expect.poll(() => reader.texts()).toEqual(["Hello there", "Good"]);
  reader.unsubscribe();
});

it("RT5 sends thoughts and progress, and progress of a step that has ended", async () => {
  const { board, read, show } = boardOf();
  const reader = read();
  const thoughts = { from: 0, text: "I see" };
  show({ step: 1, attempt: 1, text: "", thoughts, revision: 1 });
  board.finishStep("r", 1);
  const progress = [{ actionId: "a", message: "1 of 2" }];
  show({ step: 1, attempt: 1, text: "", progress, revision: 2 });
  await expect
    .poll(() => reader.data())
    .toEqual([
      { step: 1, attempt: 1, text: "", thoughts },
      { step: 1, attempt: 1, text: "", progress },
    ]);
  // A reader that comes back gets the current state at once, and never an older one.
  show({ step: 1, attempt: 1, text: "", thoughts, revision: 1 });
  const again = read();
  expect(again.data()).toEqual([{ step: 1, attempt: 1, text: "", progress }]);
  reader.unsubscribe();
  again.unsubscribe();
});

it("RT5 sends at most ten frames a second for a tool that reports all the time", async () => {
  const { read, show } = boardOf();
  const reader = read();
  for (let revision = 1; revision <= 10_000; revision++)
    show({
      step: 1,
      attempt: 1,
      text: "",
      progress: [{ actionId: "a", message: String(revision) }],
      revision,
    });
  await expect.poll(() => reader.data().at(-1)?.progress?.[0]?.message).toBe("10000");
  expect(reader.data()).toHaveLength(2);
  reader.unsubscribe();
});
