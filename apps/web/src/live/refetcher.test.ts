import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createRefetcher } from "./refetcher.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function refetcher() {
  const asked: unknown[] = [];
  const client = {
    invalidateQueries: ({ queryKey }: { queryKey?: unknown } = {}) => {
      asked.push(queryKey);
      return Promise.resolve();
    },
  };
  return { asked, ...createRefetcher(client, 200) };
}

it("refetches a key at once, and a burst of changes once more at its end", () => {
  const { asked, invalidate } = refetcher();
  for (let change = 0; change < 50; change += 1) invalidate(["runs"]);
  expect(asked).toEqual([["runs"]]);
  vi.advanceTimersByTime(200);
  expect(asked).toEqual([["runs"], ["runs"]]);
  vi.advanceTimersByTime(1_000);
  expect(asked).toHaveLength(2);
});

it("keeps apart what has another key", () => {
  const { asked, invalidate } = refetcher();
  invalidate(["bron", "a"]);
  invalidate(["bron", "b"]);
  expect(asked).toEqual([
    ["bron", "a"],
    ["bron", "b"],
  ]);
});

it("refetches nothing after it was stopped", () => {
  const { asked, invalidate, stop } = refetcher();
  invalidate(["runs"]);
  invalidate(["runs"]);
  stop();
  vi.advanceTimersByTime(1_000);
  expect(asked).toHaveLength(1);
});
