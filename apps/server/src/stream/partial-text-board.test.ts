import { expect, it } from "vitest";
import { createPartialTextBoard, type Answer, type AnswerFrame } from "./partial-text-board.ts";

function boardOf() {
  let tell: (answer: Answer) => void = () => undefined;
  const board = createPartialTextBoard((_ownerId, _runId, listener) => {
    tell = listener;
    return Promise.resolve(() => undefined);
  });
  const read = () => {
    const frames: AnswerFrame[] = [];
    const leave = board.join({ ownerId: "local", runId: "r" }, (frame) => frames.push(frame));
    return {
      leave,
      texts: () => frames.map(({ bytes }) => /"text":"(.*)"/.exec(bytes.toString())?.[1]),
    };
  };
  return {
    board,
    read,
    tell: (step: number, attempt: number, text: string) => tell({ step, attempt, text }),
  };
}

it("shows a late reader nothing of a step that is in the log, even if its words come after", () => {
  const { board, read, tell } = boardOf();
  const first = read();
  tell(1, 1, "Hello");
  board.over("r", 1);
  tell(1, 1, "Hello there");
  const late = read();
  expect(first.texts()).toEqual(["Hello"]);
  expect(late.texts()).toEqual([]);
  first.leave();
  late.leave();
});

it("goes on to a new attempt, and never back to an older state", async () => {
  const { read, tell } = boardOf();
  const reader = read();
  tell(1, 1, "Hello there");
  tell(1, 1, "Hello");
  tell(1, 2, "Good");
  tell(1, 1, "Hello there, you");
  await expect.poll(() => reader.texts()).toEqual(["Hello there", "Good"]);
  reader.leave();
});
