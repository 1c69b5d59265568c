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

it("X3 remembers which requests a run has used, and which are crossed out", async () => {
  const ownerId = "local";
  const from = memoryStore();
  const { run } = await from.runs.create({
    ownerId,
    input: { prompt: "do it" },
    title: "do it",
    caps: mergeCaps(defaultCaps, {}),
  });
  await from.runs.crossOutAsk(ownerId, run.id, "crossed");
  const log = from.readLog({ ownerId, runId: run.id });
  const used = {
    runId: run.id,
    seq: log.events.length + 1,
    createdAt: run.createdAt,
    type: "effect",
    payload: {
      effectId: "e",
      actionId: "a",
      tool: "send",
      state: "approved",
      digest: "d",
      prepared: {},
      asks: ["used"],
    },
  } as unknown as RunEvent;
  const to = memoryStore();
  to.openLog({ ...log, events: [...log.events, used] });
  const open = await to.askUses.open({ ownerId, rootRunId: run.id }, new Map());
  expect(open.held).toEqual(new Map([["used", "a"]]));
  expect(open.crossedOut).toEqual(new Set(["crossed"]));
});

it("X3 remembers which old versions were restored", async () => {
  const ownerId = "local";
  const from = memoryStore();
  const { run } = await from.runs.create({
    ownerId,
    input: { prompt: "do it" },
    title: "do it",
    caps: mergeCaps(defaultCaps, {}),
  });
  const log = from.readLog({ ownerId, runId: run.id });
  const effect = { effectId: "e", actionId: "a", tool: "write", digest: "d", prepared: {} };
  const events = (["approved", "done"] as const).map((state, index) => ({
    runId: run.id,
    seq: log.events.length + 1 + index,
    createdAt: run.createdAt,
    type: "effect" as const,
    payload: { ...effect, state },
  }));
  const middle = memoryStore();
  middle.openLog({ ...log, events: [...log.events, ...events] });
  await middle.effects.startRestoring({ ownerId, effectId: "e" });
  await middle.effects.endRestoring({ ownerId, effectId: "e", isRestored: true });
  const to = memoryStore();
  to.openLog(middle.readLog({ ownerId, runId: run.id }));
  expect(await to.effects.get(ownerId, "e")).toMatchObject({ restoredAt: expect.any(String) });
  await expect(to.effects.startRestoring({ ownerId, effectId: "e" })).rejects.toMatchObject({
    code: "conflict",
  });
});
