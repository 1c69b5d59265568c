import { memoryStore } from "@bron/memory-store";
import { omitUndefined, type Place } from "@bron/protocol";
import { scriptedLanguageModel } from "@bron/testing";
import { afterEach, describe, expect, it } from "vitest";
import { createRuntime } from "./create-runtime.ts";
import type { Runtime } from "./runtime.ts";

const gone = { machine: "evas-laptop", folder: "/home/eva/site" };
const model = {
  name: "scripted",
  maxOutputTokens: 100,
  model: scriptedLanguageModel(() => ({ text: "Done." })),
};

describe("a run with a place", () => {
  const opened: Runtime[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((runtime) => runtime.close()));
  });
  const store = () => memoryStore();
  const open = async (on = store(), places: Parameters<typeof createRuntime>[0]["places"] = []) => {
    const runtime = await createRuntime({ store: on, model, places, engine: { sweepMs: 5 } });
    opened.push(runtime);
    const client = runtime.clientFor("local");
    const create = async (place?: Place) =>
      await client.call("POST /api/runs", {
        body: { prompt: "Hi", ...omitUndefined({ place }) },
      });
    const statusOf = async (id: string) =>
      (await client.call("GET /api/runs/:id", { params: { id } })).status;
    return { runtime, client, create, statusOf };
  };
  const until = async (statusOf: () => Promise<string>, status: string) =>
    await expect.poll(statusOf).toBe(status);

  it("waits while its place is gone, holds up no other run, and is moved", async () => {
    const { runtime, client, create, statusOf } = await open();
    const placed = await create(gone);
    const free = await create();
    await until(() => statusOf(free.id), "completed");
    expect(await statusOf(placed.id)).toBe("queued");
    expect((await client.call("GET /api/places")).places).toEqual([
      { place: gone, isServed: false, runs: 1 },
    ]);
    const to = { process: runtime.processId };
    await client.call("POST /api/runs/:id/place", { params: placed, body: { place: to } });
    await until(() => statusOf(placed.id), "completed");
    expect((await client.call("GET /api/places")).places).toEqual([]);
    await expect(
      client.call("POST /api/runs/:id/place", { params: placed, body: { place: null } }),
    ).rejects.toMatchObject({ code: "conflict" });
  });

  it("is canceled while its place is gone", async () => {
    const { client, create, statusOf } = await open();
    const { id } = await create(gone);
    await client.call("POST /api/runs/:id/cancel", { params: { id }, body: {} });
    await until(() => statusOf(id), "canceled");
  });

  it("is advanced by a worker that serves all folders of its machine", async () => {
    const { client, create, statusOf } = await open(store(), [{ machine: gone.machine }]);
    const { id } = await create(gone);
    await until(() => statusOf(id), "completed");
    const next = await client.call("POST /api/runs/:id/messages", {
      params: { id },
      body: { content: "Again" },
    });
    expect(next.run.place).toEqual(gone);
  });

  it("rejects places that are none", async () => {
    await expect(open(store(), [{ machine: "" }])).rejects.toMatchObject({
      code: "config_invalid",
    });
    const { client } = await open();
    await expect(
      client.call("POST /api/runs", { body: { prompt: "x", place: {} as Place } }),
    ).rejects.toMatchObject({ code: "invalid_input" });
  });
});
