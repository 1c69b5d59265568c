import { expect, it } from "vitest";
import { createFrameParser } from "./frame-parser.ts";

const stream =
  'retry: 1000\n\n: a comment\n\nid: 1\nevent: log\ndata: {"a":1}\n\nevent: answer\ndata: one\ndata:two\n\nid: 2\n\ndata: plain\n\ndata: not yet complete\n';

it("returns complete messages, and skips comments, hints and incomplete messages", () => {
  expect(createFrameParser()(stream)).toEqual([
    { event: "log", data: '{"a":1}' },
    { event: "answer", data: "one\ntwo" },
    { event: "message", data: "plain" },
  ]);
});

it("returns the same messages for all chunk sizes and line breaks", () => {
  for (const lineBreak of ["\n", "\r\n", "\r"]) {
    const text = stream.replaceAll("\n", lineBreak);
    for (const size of [1, 2, 3, 7]) {
      const parse = createFrameParser();
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
        text.slice(index * size, (index + 1) * size),
      );
      expect(pieces.flatMap(parse), `${JSON.stringify(lineBreak)} by ${size}`).toEqual(
        createFrameParser()(stream),
      );
    }
  }
});
