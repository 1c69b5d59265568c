import { eventViewSchema } from "@bron/protocol";
import { expect, it } from "vitest";
import { oldLogs } from "../../../../../test/support/old-logs.ts";
import { fold } from "./fold.ts";
import { emptyRunState } from "./run-state.ts";

it.each(oldLogs)("folds a log of $version to the end of its run: $name", ({ events }) => {
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

it.each(oldLogs)("has a log of $version in the form that the API promises: $name", ({ events }) => {
  for (const event of events) expect(eventViewSchema.safeParse(event).error).toBeUndefined();
});
