import { expect, it } from "vitest";
import { createFrameParser } from "./frame-parser.ts";

const stream =
  'retry: 1000\n\n: a word\n\nid: 1\nevent: log\ndata: {"a":1}\n\nevent: answer\ndata: one\ndata:two\n\nid: 2\n\ndata: plain\n\ndata: not yet whole\n';

it("gives the messages of a stream, and nothing for comments, hints and what is not whole", () => {
  expect(createFrameParser()(stream)).toEqual([
    { event: "log", data: '{"a":1}' },
    { event: "answer", data: "one\ntwo" },
    { event: "message", data: "plain" },
  ]);
});

it("gives the same however the text is cut, with every kind of line break", () => {
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
