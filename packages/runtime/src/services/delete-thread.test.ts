import { threadUnderWay } from "@bron/core";
import type { RunView } from "@bron/protocol";
import { expect, test } from "vitest";
import { manualClock } from "../manual-clock.fixture.ts";
import { deleteThread } from "./delete-thread.ts";

/** A thread whose run ends after this many attempts to delete it. */
function harness({
  endsAfter,
  parentRunId = null,
}: {
  endsAfter: number;
  parentRunId?: string | null;
}) {
  const clock = manualClock();
  const canceled: string[] = [];
  let attempts = 0;
  const run = { id: "r", parentRunId, status: "executing", cancelRequested: false } as RunView;
  const deps = {
    clock,
    threads: {
      async delete() {
        attempts += 1;
        if (attempts <= endsAfter) throw threadUnderWay(["r"]);
      },
    },
    runs: {
      list: async () => [{ ...run, cancelRequested: canceled.length > 0 }],
      async requestCancel(_: string, id: string) {
        canceled.push(id);
        return true;
      },
    },
  };
  const timer = setInterval(() => clock.advance(1_000), 1);
  const deleted = deleteThread(deps, "eva", "T").finally(() => clearInterval(timer));
  return { deleted, canceled, attempts: () => attempts };
}

test("RT12 stops a run under way once, and deletes the thread when it has ended", async () => {
  const { deleted, canceled, attempts } = harness({ endsAfter: 3 });
  await deleted;
  expect([canceled, attempts()]).toEqual([["r"], 4]);
});

test("RT12 says that a run has not ended if it takes too long", async () => {
  const { deleted, canceled, attempts } = harness({ endsAfter: Number.POSITIVE_INFINITY });
  await expect(deleted).rejects.toMatchObject({ code: "conflict" });
  expect(canceled).toEqual(["r"]);
  expect(attempts()).toBeLessThan(30);
});

test("RT12 leaves a child run alone that its parent run still needs", async () => {
  const { deleted, canceled, attempts } = harness({ endsAfter: 1, parentRunId: "parent" });
  await expect(deleted).rejects.toMatchObject({ code: "conflict" });
  expect([canceled, attempts()]).toEqual([[], 1]);
});
