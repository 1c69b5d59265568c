import type { Runs } from "@bron/core";
import { defaultCaps, type RunView } from "@bron/protocol";
import { describe, expect, it } from "vitest";
import { retryRun } from "./start-run.ts";

const firstEvents = [
  { type: "status", payload: { status: "queued", model: "a/chosen" } },
  { type: "message", payload: { role: "user", content: "Count the unread", context: ["a mail"] } },
];

describe("retryRun", () => {
  const harness = (parentRunId: string | null) => {
    const created: unknown[] = [];
    const over = {
      id: "run",
      status: "failed",
      prompt: "Count the unread",
      title: "Count",
      threadId: "thread",
      parentRunId,
      caps: defaultCaps,
      retryOf: null,
    } as unknown as RunView;
    const runs = {
      get: () => Promise.resolve(over),
      effects: () => Promise.resolve([]),
      events: () => Promise.resolve(firstEvents),
      create: (request: unknown) => Promise.resolve(created.push(request)),
    } as unknown as Runs;
    return { created, retry: () => retryRun(runs, "local", "run", {}) };
  };

  it("X4 rejects a child run, because the model's text would become trusted", async () => {
    const { created, retry } = harness("parent");
    await expect(retry()).rejects.toMatchObject({ code: "conflict" });
    expect(created).toEqual([]);
  });

  it("creates a new run of the same task in the same thread", async () => {
    const { created, retry } = harness(null);
    await retry();
    expect(created).toMatchObject([
      {
        input: {
          prompt: "Count the unread",
          context: ["a mail"],
          threadId: "thread",
          model: "a/chosen",
        },
        retry: { runId: "run", notDone: [] },
      },
    ]);
  });
});
