import type { RunEvent, RunView } from "@bron/protocol";
import { manualClock } from "@bron/testing";
import { expect, it } from "vitest";
import { createRunLogs } from "./run-logs.ts";

const parked = {
  seq: 1,
  type: "status",
  payload: { status: "awaiting_confirmation" },
} as RunEvent;

it("ends at a parked run that its worker gives back without another event", async () => {
  const clock = manualClock();
  let isRunnable = true;
  const logs = createRunLogs({
    runs: {
      get: async () =>
        ({ status: "awaiting_confirmation", runnable: isRunnable, lastSeq: 1 }) as RunView,
      events: async () => [parked],
    },
    hub: {
      subscribe: ({ onEvents }) => {
        onEvents([parked]);
        return () => undefined;
      },
    },
    clock,
  });
  let hasEnded = false;
  const seen: RunEvent[] = [];
  const reading = (async () => {
    for await (const event of logs.events("owner", "run", { untilParked: true })) seen.push(event);
    hasEnded = true;
  })();
  await clock.pass(10_000);
  expect(hasEnded).toBe(false);
  isRunnable = false;
  await clock.pass(10_000);
  expect(hasEnded).toBe(true);
  await reading;
  expect(seen).toEqual([parked]);
});
