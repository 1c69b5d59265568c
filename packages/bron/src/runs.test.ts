import { createMemoryStore } from "@bron/testing";
import { defaultCaps } from "@bron/protocol";
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { EventHub } from "./event-hub.ts";
import { createRuns } from "./runs.ts";

describe("runs.retry", () => {
  it("X4 refuses a child run: the model's words would become the owner's", async () => {
    const store = createMemoryStore({ now: Date.now, uuid: randomUUID });
    const runs = createRuns({ runs: store.runs, caps: defaultCaps, hub: {} as EventHub });
    const parent = await runs.create("local", { prompt: "Count my mail" });
    const child = await runs.create("local", { prompt: "Count the unread" }, { parentRunId: parent.id });
    const claimed = await store.log.claim({ runId: child.id, worker: "w", leaseMs: 60_000, takeOverUntil: 0, maxPerOwner: 10, maxInAll: 10 });
    if (!claimed.claimed) throw new Error("The run could not be claimed");
    await store.log.append({ lease: claimed.lease, seen: claimed.lastSeq, events: [{ type: "status", payload: { status: "failed", code: "tool_failed", message: "It broke." } }], leaseMs: 60_000, release: "end" });
    await expect(runs.retry("local", child.id)).rejects.toMatchObject({ code: "conflict" });
  });
});
