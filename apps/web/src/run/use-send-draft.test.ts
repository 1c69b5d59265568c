import type { Client } from "@bron/client";
import type { RunView } from "@bron/protocol";
import { expect, it } from "vitest";
import { queries } from "../live/queries.ts";
import { inRouter, mountHook, openPage, stubApi } from "../mount-hook.fixture.tsx";
import { testQueryClient } from "../render-hook.fixture.tsx";
import { useRetry } from "./use-retry.ts";
import { useSendDraft } from "./use-send-draft.ts";

const run = { id: "r2", threadId: "t1" } as RunView;

function openThread(response: unknown) {
  openPage();
  const sent: { key: string; idempotencyKey?: string; body?: { content: string } }[] = [];
  const call = async (key: string, options: object) => {
    sent.push({ key, ...options });
    return response;
  };
  stubApi({ call: call as unknown as Client["call"] });
  const client = testQueryClient();
  const pages = [{ runs: [{ id: "r1" }] }];
  const { queryKey } = queries.thread("t1");
  client.setQueryData(queryKey, { pages, pageParams: [undefined] } as never);
  const runIds = () =>
    client.getQueryData(queryKey)?.pages.flatMap(({ runs }) => runs.map(({ id }) => id));
  return { client, sent, runIds };
}

it.each([
  [true, ["r1", "r2"]],
  [false, ["r1"]],
])(
  "adds the task that sends a draft to its conversation if it is a new one: %j",
  async (isNewTask, shown) => {
    const { client, sent, runIds } = openThread({ run, isNewTask });
    const draft = mountHook(client, () =>
      useSendDraft("r1", { subject: "Numbers", to: "eva@x.example" }),
    );
    draft.act(({ mutate }) => mutate());
    await expect.poll(() => draft.current().isSuccess).toBe(true);
    expect(runIds()).toEqual(shown);
    expect(sent[0]?.body?.content).toMatch(/Numbers.*eva@x\.example/);
    draft.act(({ mutate }) => mutate());
    await expect.poll(() => new Set(sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(2);
  },
);

it("opens the conversation with the run that retries another", async () => {
  const { client, sent, runIds } = openThread(run);
  const ways: unknown[] = [];
  const retry = mountHook(client, () => useRetry("r1"), inRouter(ways));
  retry.act(({ mutate }) => mutate());
  await expect.poll(() => ways).toEqual([["/threads/$threadId", { threadId: "t1" }]]);
  expect(runIds()).toEqual(["r1", "r2"]);
  expect(sent).toMatchObject([{ key: "POST /api/runs/:id/retry", params: { id: "r1" } }]);
});
