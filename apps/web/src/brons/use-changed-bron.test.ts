import type { Client } from "@bron/client";
import type { BronView } from "@bron/protocol";
import { expect, it } from "vitest";
import { queries } from "../live/queries.ts";
import { mountHook, openPage, stubApi } from "../mount-hook.fixture.tsx";
import { testQueryClient } from "../render-hook.fixture.tsx";
import { useChangedBron } from "./use-changed-bron.ts";

const bron = { id: "b1", name: "Bron", systemPrompt: "Be brief." } as BronView;

function openChange() {
  const calls: unknown[] = [];
  const response = Promise.withResolvers<BronView>();
  const call = (key: string, options: unknown) => {
    calls.push([key, options]);
    return response.promise;
  };
  stubApi({ call: call as unknown as Client["call"] });
  const client = testQueryClient();
  const { queryKey } = queries.bron("b1");
  client.setQueryData(queryKey, bron);
  for (const key of ["brons", "permissions", "runs"]) client.setQueryData([key], []);
  const isStale = (key: string) => client.getQueryState([key])?.isInvalidated;
  openPage();
  const { mutate } = mountHook(client, () => useChangedBron("b1")).current();
  return { calls, isStale, mutate, response, shown: () => client.getQueryData(queryKey) };
}

it("shows a change at once, and the response once it is there", async () => {
  const { calls, mutate, response, shown } = openChange();
  mutate({ name: "Anna" });
  await expect.poll(shown).toEqual({ ...bron, name: "Anna" });
  expect(calls).toEqual([
    ["PATCH /api/brons/:id", { params: { id: "b1" }, body: { name: "Anna" } }],
  ]);
  response.resolve({ ...bron, name: "Anna K." });
  await expect.poll(shown).toEqual({ ...bron, name: "Anna K." });
});

it("rolls back and says so if the server rejects it", async () => {
  const { mutate, response, shown } = openChange();
  let failures = 0;
  mutate({ name: "Anna" }, () => failures++);
  await expect.poll(shown).toEqual({ ...bron, name: "Anna" });
  response.reject(new Error("no"));
  await expect.poll(() => failures).toBe(1);
  expect(shown()).toEqual(bron);
});

it("refetches the lists that show the Bron, and nothing else", async () => {
  const { isStale, mutate, response } = openChange();
  mutate({ name: "Anna" });
  response.resolve({ ...bron, name: "Anna" });
  await expect.poll(() => isStale("permissions")).toBe(true);
  expect([isStale("brons"), isStale("runs")]).toEqual([true, false]);
});
