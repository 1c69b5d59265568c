import type { RunEvent } from "@bron/protocol";
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { fold } from "./fold.ts";
import { emptyRunState } from "./run-state.ts";

/** Logs of real runs, in one folder for each version of the log. */
const folder = new URL("../../../../test/logs/", import.meta.url);
const logs = readdirSync(folder).flatMap((version) =>
  readdirSync(new URL(`${version}/`, folder)).map((file) => ({
    version,
    name: file.replace(".jsonl", ""),
    events: readFileSync(new URL(`${version}/${file}`, folder), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as RunEvent),
  })),
);

it.each(logs)("folds a log of $version to the end of its run: $name", ({ events }) => {
  const state = events.reduce(
    (before, event) => fold(before, event, Date.parse(event.createdAt)),
    emptyRunState,
  );
  const last = events.at(-1);
  expect(last?.type === "status" && last.payload.status).toBe(state.status);
  expect(state.open.size).toBe(0);
  expect(state.ended).toHaveLength(
    events.filter(({ type, payload }) => type === "tool" && "outcome" in payload).length,
  );
});
