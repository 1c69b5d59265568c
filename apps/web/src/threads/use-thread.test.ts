import type { Client } from "@bron/client";
import { expect, it } from "vitest";
import { mountHook, openPage, stubApi } from "../mount-hook.fixture.tsx";
import { testQueryClient } from "../render-hook.fixture.tsx";
import { useThread } from "./use-thread.ts";

/** Pages from the newest to the oldest. In a page, the oldest task is first. */
const pages = [
  ["r5", "r6"],
  ["r3", "r4"],
  ["r1", "r2"],
];

function openThread(wantedId?: string, { failsAt = -1 } = {}) {
  openPage();
  const asked: (string | undefined)[] = [];
  const call = async (
    _key: string,
    { query }: { readonly query: { readonly before?: string } },
  ) => {
    asked.push(query.before);
    const at = Number(query.before ?? 0);
    if (at === failsAt) throw new Error("lost");
    const next = at + 1 < pages.length ? String(at + 1) : null;
    return { id: "t1", title: `page ${at}`, runs: pages[at]?.map((id) => ({ id })), next };
  };
  stubApi({ call: call as unknown as Client["call"] });
  const thread = mountHook(testQueryClient(), () => useThread("t1", wantedId));
  const runIds = () => thread.current().runs.map(({ id }) => id);
  return { thread, runIds, asked };
}

it("loads the newest tasks, and earlier ones on request", async () => {
  const { thread, runIds, asked } = openThread();
  expect(thread.current()).toMatchObject({ isComplete: false, runs: [] });
  await expect.poll(runIds).toEqual(["r5", "r6"]);
  expect(thread.current()).toMatchObject({ isComplete: true, hasEarlier: true });
  thread.act(({ loadEarlier }) => loadEarlier());
  await expect.poll(runIds).toEqual(["r3", "r4", "r5", "r6"]);
  expect(thread.current().thread).toMatchObject({ title: "page 0" });
  expect(asked).toEqual([undefined, "1"]);
});

it("loads back to the wanted task, and no further", async () => {
  const { thread, runIds, asked } = openThread("r3");
  await expect.poll(() => thread.current().isComplete).toBe(true);
  expect(runIds()).toEqual(["r3", "r4", "r5", "r6"]);
  expect(asked).toEqual([undefined, "1"]);
});

it("is complete without the wanted task if the conversation does not have it", async () => {
  const { thread, runIds } = openThread("r9");
  await expect.poll(() => thread.current().isComplete).toBe(true);
  expect(runIds()).toEqual(["r1", "r2", "r3", "r4", "r5", "r6"]);
  expect(thread.current().hasEarlier).toBe(false);
});

it("does not ask again and again for a page that cannot be loaded", async () => {
  const { thread, asked } = openThread("r1", { failsAt: 1 });
  await expect.poll(() => thread.current().error).toMatchObject({ message: "lost" });
  expect(thread.current().isComplete).toBe(true);
  expect(asked).toEqual([undefined, "1"]);
});
