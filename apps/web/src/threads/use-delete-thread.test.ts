import type { Client } from "@bron/client";
import type { ThreadView } from "@bron/protocol";
import { expect, it } from "vitest";
import { stubApi } from "../mount-hook.fixture.tsx";
import { renderHook, testQueryClient } from "../render-hook.fixture.tsx";
import { useDeleteThread } from "./use-delete-thread.ts";

const thread = { id: "t1", title: "Invoices", runCount: 2 } as ThreadView;

function openHarness() {
  const calls: unknown[] = [];
  const response = Promise.withResolvers<unknown>();
  const call = (key: string, options: unknown) => {
    calls.push([key, options]);
    return response.promise;
  };
  stubApi({ call: call as unknown as Client["call"] });
  const client = testQueryClient();
  const keys = [["threads", "list"], ["runs"], ["brons"], ["bron"], ["approvals"], ["usage"]];
  for (const key of keys) client.setQueryData(key, []);
  let deleted = 0;
  const { ask, remove } = renderHook(client, () => useDeleteThread(() => deleted++));
  return {
    ask,
    remove,
    calls,
    response,
    deleted: () => deleted,
    stale: () => keys.filter((key) => client.getQueryState(key)?.isInvalidated).map(([key]) => key),
  };
}

it("deletes nothing before the owner confirms it", () => {
  const { ask, calls, deleted } = openHarness();
  ask(thread);
  expect([calls, deleted()]).toEqual([[], 0]);
});

it("deletes the conversation, and refetches what its tasks appear in", async () => {
  const { calls, deleted, remove, response, stale } = openHarness();
  remove.mutate(thread);
  await expect.poll(() => calls).toEqual([["DELETE /api/threads/:id", { params: { id: "t1" } }]]);
  expect(deleted()).toBe(0);
  response.resolve({});
  await expect.poll(deleted).toBe(1);
  await expect.poll(stale).toEqual(["threads", "runs", "brons", "bron", "approvals"]);
});

it("does not call it deleted if the server rejects it, and refetches", async () => {
  const { deleted, remove, response, stale } = openHarness();
  remove.mutate(thread);
  response.reject(new Error("no"));
  await expect.poll(stale).toContain("threads");
  expect(deleted()).toBe(0);
});
