import type { DataTag, QueryKey } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { renderHook, testQueryClient } from "../render-hook.fixture.tsx";
import { useOptimistic } from "./use-optimistic.ts";

const queryKey = ["names"] as unknown as DataTag<QueryKey, readonly string[], Error>;

function openHarness(before: readonly string[] | undefined, canRead = true) {
  const client = testQueryClient();
  if (before) client.setQueryData<readonly string[]>(queryKey, before);
  const response = Promise.withResolvers<readonly string[]>();
  const mutation = renderHook(client, () =>
    useOptimistic({
      queryKey,
      request: (_name: string) => response.promise,
      predict: (names, name: string) => [...names, name],
      ...(canRead ? { read: (names: readonly string[]) => names } : {}),
    }),
  );
  const names = () => client.getQueryData(queryKey);
  const isStale = () => client.getQueryState(queryKey)?.isInvalidated;
  return { add: mutation.mutateAsync, names, isStale, response };
}

it("shows the predicted value until the server responds, then the server's", async () => {
  const { add, names, isStale, response } = openHarness(["eva"]);
  const adding = add("max");
  await expect.poll(names).toEqual(["eva", "max"]);
  response.resolve(["eva", "max@example.com"]);
  await adding;
  expect(names()).toEqual(["eva", "max@example.com"]);
  expect(isStale()).toBe(false);
});

it("rolls back and refetches if the server rejects it", async () => {
  const { add, names, isStale, response } = openHarness(["eva"]);
  const adding = add("max");
  await expect.poll(names).toEqual(["eva", "max"]);
  response.reject(new Error("no"));
  await expect(adding).rejects.toThrow("no");
  expect(names()).toEqual(["eva"]);
  expect(isStale()).toBe(true);
});

it("refetches if the response does not contain the new value", async () => {
  const { add, names, isStale, response } = openHarness(["eva"], false);
  response.resolve([]);
  await add("max");
  expect(names()).toEqual(["eva", "max"]);
  expect(isStale()).toBe(true);
});

it("predicts nothing from a value that was never loaded", async () => {
  const { add, names, response } = openHarness(undefined);
  const adding = add("max");
  expect(names()).toBeUndefined();
  response.resolve(["max"]);
  await adding;
  expect(names()).toEqual(["max"]);
});
