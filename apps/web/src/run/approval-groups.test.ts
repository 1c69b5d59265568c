import type { ApprovalView, LoggedApproval } from "@bron/protocol";
import { describe, expect, it } from "vitest";
import { groupItems } from "./approval-groups.ts";
import type { Item } from "./item.ts";

function logged(id: string, more: Partial<ApprovalView> = {}): readonly [string, LoggedApproval] {
  const approval = {
    id,
    actionId: id,
    group: "r:1:mail",
    state: "pending",
    createdAt: "2026-11-18T12:00:00.000Z",
    decidedAt: null,
    ...more,
  } as ApprovalView;
  return [id, { approval, effectState: "awaiting_confirmation" }];
}

const card = (approvalId: string): Item => ({
  kind: "card",
  key: `card of ${approvalId}`,
  card: { kind: "ApprovalCard", payload: { approvalId } },
});
const answer: Item = { kind: "answer", key: "answer", text: "", isFinal: true };

const keys = (items: readonly Item[]) => items.map(({ key }) => key);

describe("approvals in the timeline", () => {
  it("X3 show a group once, where its first approval was asked", () => {
    const approvals = new Map([logged("a"), logged("b"), logged("c", { group: "r:1:event" })]);
    const { items, groups } = groupItems(
      [card("a"), card("b"), card("c"), answer],
      approvals,
      false,
    );
    expect(keys(items)).toEqual(["card of a", "card of c", "answer"]);
    expect([...groups.keys()]).toEqual(["card of a"]);
    expect(groups.get("card of a")).toMatchObject({
      members: [{ approval: { id: "a" } }, { approval: { id: "b" } }],
      isLive: true,
    });
  });

  it("X3 keep an edited effect in the card of its group", () => {
    const edited = logged("a2", { actionId: "a", createdAt: "2026-11-18T12:01:00.000Z" });
    const approvals = new Map([
      logged("a", { state: "superseded", decidedAt: "2026-11-18T12:00:30.000Z" }),
      logged("b"),
      edited,
    ]);
    const { items, groups } = groupItems([card("a"), card("b"), card("a2")], approvals, false);
    expect(keys(items)).toEqual(["card of a"]);
    expect(groups.get("card of a")?.members).toHaveLength(3);
  });

  it("X3 keep both cards of a single effect that was edited", () => {
    const approvals = new Map([logged("a"), logged("a2", { actionId: "a" })]);
    const before = [card("a"), card("a2")];
    expect(groupItems(before, approvals, false)).toEqual({ items: before, groups: new Map() });
  });

  it("X3 ask the server about what a finished task left open", () => {
    const approvals = new Map([logged("a", { state: "used" }), logged("b")]);
    const { groups } = groupItems([card("a"), card("b")], approvals, true);
    expect(groups.get("card of a")?.isLive).toBe(false);
  });
});
