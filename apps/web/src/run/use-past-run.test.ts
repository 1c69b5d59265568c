import type { EventView } from "@bron/protocol";
import { expect, it } from "vitest";
import { queries } from "../live/queries.ts";
import { renderHook, testQueryClient } from "../render-hook.fixture.tsx";
import { usePastRun } from "./use-past-run.ts";

const ended = {
  runId: "r1",
  seq: 4,
  createdAt: "2026-11-15T12:00:00.000Z",
  type: "status",
  payload: { status: "completed" },
} as EventView;

it("makes a timeline of the log once it is there", () => {
  const client = testQueryClient();
  const read = () => renderHook(client, () => usePastRun({ id: "r1", lastSeq: 4 }, true)).timeline;
  expect(read()).toBeUndefined();
  client.setQueryData(queries.log("r1", 4).queryKey, [ended]);
  expect(read()).toMatchObject({ seq: 4, status: "completed" });
});

it("does not take the log of an earlier state for the whole log", () => {
  const client = testQueryClient();
  client.setQueryData(queries.log("r1", 3).queryKey, [ended]);
  const { timeline } = renderHook(client, () => usePastRun({ id: "r1", lastSeq: 4 }, true));
  expect(timeline).toBeUndefined();
});
