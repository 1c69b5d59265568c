import type { ApprovalView } from "@bron/protocol";
import type { Client } from "@bron/client";
import { expect, it } from "vitest";
import { queries } from "../live/queries.ts";
import { mountHook, openPage, stubApi } from "../mount-hook.fixture.tsx";
import { testQueryClient } from "../render-hook.fixture.tsx";
import { useGroupChoice } from "./use-group-choice.ts";

interface Seen {
  readonly id: string;
  readonly digest: string;
  readonly reason?: string;
}
interface Batch {
  readonly approve: readonly Seen[];
  readonly deny: readonly Seen[];
}

const seen = (id: string): Seen => ({ id, digest: `sha256:${id}` });
const many = (count: number) => Array.from({ length: count }, (_, index) => seen(String(index)));

/** The server refuses the approvals whose ids are closed. */
function openGroup({ closed = [] as readonly string[], fails = false } = {}) {
  openPage();
  const batches: Batch[] = [];
  let decided = 0;
  const outcome = (state: string) => (one: Seen) =>
    closed.includes(one.id)
      ? { id: one.id, ok: false, error: { code: "approval_closed", message: "It is closed." } }
      : { id: one.id, ok: true, approval: { ...one, state } };
  const call = async (_key: string, { body }: { readonly body: Batch }) => {
    batches.push(body);
    if (fails) throw new Error("lost");
    return {
      approve: body.approve.map(outcome("approved")),
      deny: body.deny.map(outcome("denied")),
    };
  };
  stubApi({ call: call as unknown as Client["call"] });
  const client = testQueryClient();
  client.setQueryData(queries.pendingApprovals().queryKey, []);
  const group = mountHook(client, () => useGroupChoice(() => (decided += 1)));
  const shown = (id: string): ApprovalView | undefined =>
    client.getQueryData(queries.approval(id).queryKey);
  const isStale = () =>
    client.getQueryState(queries.pendingApprovals().queryKey)?.isInvalidated === true;
  return { group, batches, shown, isStale, decidedTimes: () => decided };
}

it("sends one choice by the digests that were shown, however often it is clicked", async () => {
  const { group, batches, shown, isStale, decidedTimes } = openGroup();
  const choice = { approve: [seen("a")], deny: [seen("b")], reason: "no" };
  group.act(({ decide }) => {
    decide(choice);
    decide(choice);
  });
  await expect.poll(() => [...group.current().decided]).toEqual(["a", "b"]);
  expect(batches).toEqual([{ approve: [seen("a")], deny: [{ ...seen("b"), reason: "no" }] }]);
  expect([shown("a")?.state, shown("b")?.state]).toEqual(["approved", "denied"]);
  expect([isStale(), decidedTimes()]).toEqual([true, 1]);
});

it("leaves out a reason that was not given", async () => {
  const { group, batches } = openGroup();
  group.act(({ decide }) => decide({ approve: [], deny: [seen("b")], reason: "" }));
  await expect.poll(() => batches).toEqual([{ approve: [], deny: [seen("b")] }]);
});

it("sends as many at once as the server takes", async () => {
  const { group, batches } = openGroup();
  group.act(({ decide }) => decide({ approve: many(205), deny: many(101), reason: "" }));
  await expect.poll(() => group.current().decided.size).toBe(205);
  expect(batches.map(({ approve, deny }) => [approve.length, deny.length])).toEqual([
    [100, 100],
    [100, 1],
    [5, 0],
  ]);
});

it("says why single approvals were not decided, and does not count them as decided", async () => {
  const { group, shown } = openGroup({ closed: ["b"] });
  group.act(({ decide }) => decide({ approve: [seen("a"), seen("b")], deny: [], reason: "" }));
  await expect.poll(() => [...group.current().failures.keys()]).toEqual(["b"]);
  expect(group.current().failures.get("b")).not.toBe("");
  expect([...group.current().decided]).toEqual(["a"]);
  expect(shown("b")).toBeUndefined();
});

it("keeps what was decided before, and can decide again after an error", async () => {
  const { group, batches, isStale } = openGroup({ fails: true });
  const choice = { approve: [seen("a")], deny: [], reason: "" };
  group.act(({ decide }) => decide(choice));
  await expect.poll(() => group.current().error?.message).toBe("lost");
  expect([group.current().decided.size, isStale()]).toEqual([0, true]);
  group.act(({ decide }) => decide(choice));
  await expect.poll(() => batches).toHaveLength(2);
});
