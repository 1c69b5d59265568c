import type { Client } from "@bron/client";
import type { BronView, ToolView } from "@bron/protocol";
import { expect, it } from "vitest";
import { queries } from "../live/queries.ts";
import { mountHook, openPage, stubApi } from "../mount-hook.fixture.tsx";
import { testQueryClient } from "../render-hook.fixture.tsx";
import { useToolChoice } from "./use-tool-choice.ts";

const tools = ["clock", "notes", "gmail_send"].map(
  (name) => ({ name, sideEffect: name === "gmail_send" }) as ToolView,
);

function openChoice(chosen: string[] | null) {
  openPage();
  const bron = { id: "b1", tools: chosen } as BronView;
  const sent: unknown[] = [];
  const call = async (key: string, { body }: { readonly body: Partial<BronView> }) => {
    sent.push([key, body]);
    return { ...bron, ...body };
  };
  stubApi({ call: call as unknown as Client["call"] });
  const client = testQueryClient();
  client.setQueryData(queries.bron("b1").queryKey, bron);
  client.setQueryData(queries.permissions().queryKey, {} as never);
  const choice = mountHook(client, () => useToolChoice(bron, tools)).current();
  const isStale = () => client.getQueryState(queries.permissions().queryKey)?.isInvalidated;
  const stored = () => client.getQueryData(queries.bron("b1").queryKey)?.tools;
  return { choice, sent, isStale, stored };
}

it("has all tools without a choice, and starts a first choice from all of them", async () => {
  const { choice, sent, isStale, stored } = openChoice(null);
  expect(choice.preset).toBe("everything");
  expect(choice.has("notes")).toBe(true);
  choice.set("notes", false);
  await expect.poll(stored).toEqual(["clock", "gmail_send"]);
  expect(sent).toEqual([["PATCH /api/brons/:id", { tools: ["clock", "gmail_send"] }]]);
  await expect.poll(isStale).toBe(true);
});

it("keeps tools of an account that is not here now", async () => {
  const { choice, stored } = openChoice(["clock", "slack_read"]);
  expect(choice.preset).toBe("custom");
  choice.set("notes", true);
  await expect.poll(stored).toEqual(["clock", "notes", "slack_read"]);
});

it.each([
  ["everything", null],
  ["read", ["clock", "notes"]],
] as const)("chooses the preset %s", async (preset, wanted) => {
  const { choice, sent } = openChoice(["clock"]);
  choice.setPreset(preset);
  await expect.poll(() => sent).toEqual([["PATCH /api/brons/:id", { tools: wanted }]]);
});
