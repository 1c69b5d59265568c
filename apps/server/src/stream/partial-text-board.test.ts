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
      texts: () => frames.map(({ bytes }) => /"text":"(.*)"/.exec(bytes.toString())?.[1]),
    };
  };
  return {
    board,
    read,
    tell: (step: number, attempt: number, text: string) => tell({ step, attempt, text }),
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
