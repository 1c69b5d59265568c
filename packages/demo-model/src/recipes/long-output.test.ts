import { expect, it } from "vitest";
import { fillGap, findGap, readCalls } from "./long-output.ts";

const whole = JSON.stringify({ text: "a".repeat(30_000) + "b".repeat(60_000) });
const [head, tail] = [whole.slice(0, 8_000), whole.slice(-32_000)];
const left = whole.length - head.length - tail.length;
const preview = `${head}\n[${left} of ${whole.length} characters are left out here. To read them, call output_read with output "o1" and from ${head.length}.]\n${tail}`;

it("reads exactly what is left out of a long result, and puts it together again", () => {
  const gap = findGap(preview);
  expect(gap).toEqual({ output: "o1", from: 8_000, characters: left });
  const calls = readCalls(gap!);
  expect(calls.map(({ characters }) => characters)).toEqual([20_000, 20_000, left - 40_000]);
  const parts = calls.map(
    ({ from, characters }) =>
      `[Characters ${from} to ${from + characters} of ${whole.length}. This is the end.]\n${whole.slice(from, from + characters)}`,
  );
  expect(fillGap(preview, parts)).toEqual(JSON.parse(whole));
});

it("leaves a result as it is that is complete, or of which the rest is lost", () => {
  for (const result of [
    { text: "short" },
    "short",
    null,
    "a\n[5 of 9 characters are left out here. They could not be kept.]\nb",
  ]) {
    expect(findGap(result)).toBeUndefined();
    expect(fillGap(result, [])).toBe(result);
  }
});
