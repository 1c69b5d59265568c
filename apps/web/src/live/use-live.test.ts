import type { Client } from "@bron/client";
import type { RunView } from "@bron/protocol";
import { expect, it } from "vitest";
import { mountHook, openPage, stubApi } from "../mount-hook.fixture.tsx";
import { testQueryClient } from "../render-hook.fixture.tsx";
import { queries } from "./queries.ts";
import { useLive } from "./use-live.ts";

type Subscription = NonNullable<Parameters<Client["changes"]>[0]>;

async function openLive() {
  openPage();
  let options: Subscription | undefined;
  let waiting = Promise.withResolvers<unknown>();
  stubApi({
    changes: async function* (given: Subscription) {
      options = given;
      for (;;) {
        const change = await waiting.promise;
        waiting = Promise.withResolvers();
        yield change;
      }
    } as unknown as Client["changes"],
  });
  const client = testQueryClient();
  const live = mountHook(client, useLive);
  await expect.poll(() => options).toBeDefined();
  return {
    client,
    live,
    options,
    send: (change: unknown) => waiting.resolve(change),
    fail: () => waiting.reject(new Error("signed out")),
  };
}

it("writes a change into the cache, and refetches everything after a gap", async () => {
  const { client, send } = await openLive();
  const run = {
    id: "r1",
    bronId: "b1",
    threadId: "t1",
    parentRunId: null,
    status: "executing",
    waitsFor: null,
    lastSeq: 3,
  } as RunView;
  client.setQueryData(queries.brons().queryKey, []);
  send({ kind: "change", change: { run } });
  await expect.poll(() => client.getQueryData(queries.run("r1").queryKey)).toEqual(run);
  const { queryKey } = queries.threads();
  client.setQueryData(queryKey, { pages: [], pageParams: [] });
  send({ kind: "reset" });
  await expect.poll(() => client.getQueryState(queryKey)?.isInvalidated).toBe(true);
});

it("says how the page is connected, and ends with the page", async () => {
  const { live, options, fail } = await openLive();
  expect(live.current()).toBe("live");
  live.act(() => options?.onConnection?.("reconnecting"));
  expect(live.current()).toBe("reconnecting");
  live.act(() => options?.onConnection?.("live"));
  fail();
  await expect.poll(() => live.current()).toBe("reconnecting");
  live.unmount();
  expect(options?.signal?.aborted).toBe(true);
});
