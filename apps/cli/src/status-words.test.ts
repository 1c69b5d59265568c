import { runStates, statusWords, type ShownStatus } from "@bron/protocol";
import { expect, test } from "vitest";
import { readStatus, statusNames } from "./status-words.ts";

test.each<[string, ShownStatus | undefined]>([
  ["done", "succeeded"],
  ["Done", "succeeded"],
  ["succeeded", "succeeded"],
  ["partly done", "partly_done"],
  ["Partly_Done", "partly_done"],
  ["couldn't do it", "could_not"],
  ["you declined", "denied"],
  ["stopped", "canceled"],
  ["Needs your answer", "needs_answer"],
])("%j is the status %s", (text, shown) => {
  expect(readStatus(text)?.shown).toBe(shown);
});

test("the words of the page, the names of programs and the states of the log are accepted", () => {
  for (const word of [...Object.values(statusWords), ...Object.keys(statusWords), ...statusNames])
    expect(readStatus(word)?.states, word).not.toHaveLength(0);
  for (const state of runStates) expect(readStatus(state)?.states, state).toContain(state);
  expect(readStatus("completed")).toEqual({ states: ["completed"] });
  expect(readStatus("odd")).toBeUndefined();
});
