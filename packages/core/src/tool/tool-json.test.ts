import { expect, it } from "vitest";
import { toToolOutput } from "./tool-json.ts";

/** Counts the turns that other work of the process gets while a result is converted. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const count = () => {
    if (isDone) return;
    turns++;
    setImmediate(count);
  };
  setImmediate(count);
  await work();
  isDone = true;
  return turns;
}

const clock = { sleep: () => new Promise<void>((resolve) => setTimeout(resolve, 0)) };
const rows = (length: number) =>
  Array.from({ length }, (_, id) => ({ id, name: "n".repeat(70), on: true }));

it("converts 2 MB of JSON in several turns, and a small result in one", async () => {
  expect(await turnsDuring(() => toToolOutput({ rows: rows(20_000) }, clock))).toBeGreaterThan(3);
  expect(await turnsDuring(() => toToolOutput({ rows: rows(100) }, clock))).toBe(0);
});

it("returns the value and its text by lines", async () => {
  const value = { rows: rows(5_000) };
  const { output, long } = await toToolOutput(value, clock);
  expect(output).toEqual(value);
  expect(long?.mediaType).toBe("application/json");
  expect(JSON.parse(long?.text ?? "")).toEqual(value);
  expect(long?.text.split("\n").length).toBeGreaterThan(20_000);
});
