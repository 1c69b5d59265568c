import type { EventView } from "@bron/protocol";
import { describe, expect, it } from "vitest";
import { applyEvents, emptyTimeline } from "./timeline.ts";

const at = { runId: "r", createdAt: "2026-11-15T12:00:00.000Z" };
const quoted = { text: "> b\u202E", from: "words", digest: "d1" } as const;
const mail = { text: "a mail", from: "context", digest: "d2" } as const;
const task: EventView = {
  ...at,
  seq: 1,
  type: "message",
  payload: {
    role: "user",
    content: "a\n> b\u202E",
    context: ["a mail"],
    split: { words: "a", apart: [quoted, mail] },
  },
};

describe("texts beside the owner's words", () => {
  it("are apart from the words, with what is hidden in them spelled out", () => {
    expect(applyEvents(emptyTimeline, [task]).items).toEqual([
      {
        kind: "user",
        key: "1",
        text: "a",
        apart: [{ ...quoted, text: "> b\\u{202e}" }, mail],
      },
    ]);
  });

  it("need no second offer once the owner has put them back, before and after the run heard it", () => {
    const said: EventView = {
      ...at,
      seq: 2,
      type: "owner_message",
      payload: { messageId: "m", content: "> b\u202E", asTyped: true, by: "local" },
    };
    const heard: EventView = {
      ...at,
      seq: 3,
      type: "message",
      payload: { role: "user", messageId: "m", content: "> b\u202E", asTyped: true },
    };
    for (const events of [
      [task, said],
      [task, said, heard],
    ]) {
      const [words, putBack] = applyEvents(emptyTimeline, events).items;
      expect(words).toMatchObject({ apart: [{ isPutBack: true }, mail] });
      expect(words).not.toMatchObject({ apart: [{}, { isPutBack: true }] });
      expect(putBack).toMatchObject({ kind: "user", asTyped: true });
    }
  });

  it("are beside a typed answer as well", () => {
    const asked: EventView = {
      ...at,
      seq: 1,
      type: "question",
      payload: { questionId: "q", actionId: "a", state: "pending", text: "Which?" },
    };
    const typed: EventView = {
      ...at,
      seq: 2,
      type: "question",
      payload: {
        questionId: "q",
        actionId: "a",
        state: "answered",
        typed: "this\n> b",
        split: { words: "this", apart: [quoted] },
      },
    };
    expect(applyEvents(emptyTimeline, [asked, typed]).items).toMatchObject([
      { kind: "question", answer: "this", apart: [{ digest: "d1" }] },
    ]);
  });
});

it("X3 shows that a program sent a task", () => {
  const sent: EventView = {
    ...at,
    seq: 1,
    type: "message",
    payload: { role: "user", content: "Email eva", program: "CI" },
  };
  expect(applyEvents(emptyTimeline, [sent]).items).toEqual([
    { kind: "user", key: "1", text: "Email eva", program: "CI" },
  ]);
});
