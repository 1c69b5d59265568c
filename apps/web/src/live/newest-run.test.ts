import type { RunView } from "@bron/protocol";
import { QueryClient } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { applyChange } from "./apply-change.ts";
import { newestRun, runKey } from "./newest-run.ts";

const run = (lastSeq: number) =>
  ({ id: "r", threadId: "t", parentRunId: null, status: "executing", lastSeq }) as RunView;

it("prefers a change of the stream to a response that is older", () => {
  const client = new QueryClient();
  expect(newestRun(client, run(3))).toEqual(run(3));
  applyChange(client, { run: run(5) } as never);
  expect(newestRun(client, run(3))).toEqual(run(5));
  expect(newestRun(client, run(6))).toEqual(run(6));
});

it("never replaces a run by an older change", () => {
  const client = new QueryClient();
  client.setQueryData(runKey("r"), run(7));
  applyChange(client, { run: run(5) } as never);
  expect(client.getQueryData(runKey("r"))).toEqual(run(7));
});
