import { mergeCaps, defaultCaps, type RunEvent } from "@bron/protocol";
import { expect, it } from "vitest";
import { memoryStore } from "./memory-store.ts";

it("opens a log of an earlier version with today's names", async () => {
  const ownerId = "local";
  const from = memoryStore();
  const { run } = await from.runs.create({
    ownerId,
    input: { prompt: "do it" },
    title: "do it",
    caps: mergeCaps(defaultCaps, {}),
  });
  const log = from.readLog({ ownerId, runId: run.id });
  const failed = {
    runId: run.id,
    seq: log.events.length + 1,
    createdAt: run.createdAt,
    type: "status",
    payload: { status: "failed", code: "model_nonsense" },
  } as unknown as RunEvent;
  const to = memoryStore();
  to.openLog({ ...log, events: [...log.events, failed] });
  expect(await to.runs.get(ownerId, run.id)).toMatchObject({
    status: "failed",
    error: { code: "model_response_invalid" },
  });
  expect((await to.runs.events(ownerId, run.id, 0)).at(-1)?.payload).toMatchObject({
    code: "model_response_invalid",
  });
});
