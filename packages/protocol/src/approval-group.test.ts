import { describe, expect, it } from "vitest";
import { currentApprovals, groupApprovals, groupNameOf } from "./approval-group.ts";

const run = "11111111-1111-4111-8111-111111111111";

describe("the name of a group", () => {
  it("X3 is the same for effects of one kind from one step, whatever their tools", () => {
    const name = (tool: string, step = 2, runId = run) =>
      groupNameOf({ runId, step, kind: "mail", tool });
    expect(name("gmail_send")).toBe(`${run}:2:mail`);
    expect(name("gmail_reply")).toBe(name("gmail_send"));
    expect(name("gmail_send", 3)).not.toBe(name("gmail_send"));
    expect(name("gmail_send", 2, "r2")).not.toBe(name("gmail_send"));
  });

  it.each(["other", "server", null] as const)(
    "X3 needs the same tool for effects of the kind %s",
    (kind) => {
      const name = (tool: string) => groupNameOf({ runId: run, step: 1, kind, tool });
      expect(name("note_add")).toBe(name("note_add"));
      expect(name("note_add")).not.toBe(name("note_delete"));
      // A tool that is called like a kind is not an effect of this kind.
      expect(name("mail")).not.toBe(
        groupNameOf({ runId: run, step: 1, kind: "mail", tool: "gmail_send" }),
      );
    },
  );

  it("X3 is missing if the step is unknown", () => {
    expect(
      groupNameOf({ runId: run, step: undefined, kind: "mail", tool: "gmail_send" }),
    ).toBeNull();
  });
});

interface Asked {
  readonly id: string;
  readonly actionId: string;
  readonly group: string | null;
  readonly createdAt: string;
  readonly decidedAt: string | null;
}

function asked(id: string, more: Partial<Asked> = {}): Asked {
  return { id, actionId: id, group: "g", createdAt: at(0), decidedAt: null, ...more };
}

function at(second: number): string {
  return `2026-11-18T12:00:0${second}.000Z`;
}

const idsOf = (groups: readonly (readonly Asked[])[]) =>
  groups.map((group) => group.map(({ id }) => id).join(" "));

describe("grouping approvals", () => {
  it("X3 puts those of one group together, in the order of the first ones", () => {
    const all = [asked("a1"), asked("b1", { group: "h" }), asked("a2"), asked("a3")];
    expect(idsOf(groupApprovals(all))).toEqual(["a1 a2 a3", "b1"]);
  });

  it("X3 keeps those without a group apart", () => {
    const all = [asked("a", { group: null }), asked("b", { group: null })];
    expect(idsOf(groupApprovals(all))).toEqual(["a", "b"]);
  });

  it("X3 keeps an edited version in its group", () => {
    const all = [
      asked("a1", { decidedAt: at(3) }),
      asked("a2", { decidedAt: at(5) }),
      asked("a1 edited", { actionId: "a1", createdAt: at(6) }),
    ];
    expect(idsOf(groupApprovals(all))).toEqual(["a1 a2 a1 edited"]);
    expect(currentApprovals(all).map(({ id }) => id)).toEqual(["a1 edited", "a2"]);
  });

  it("X3 starts another group for what is asked after all others were decided", () => {
    const all = [
      asked("a1", { decidedAt: at(3) }),
      asked("a2", { decidedAt: at(4) }),
      asked("a3", { createdAt: at(5) }),
      asked("a4", { createdAt: at(5) }),
    ];
    expect(idsOf(groupApprovals(all))).toEqual(["a1 a2", "a3 a4"]);
  });

  it("X3 counts one that was asked while another was still pending", () => {
    const all = [asked("a1", { decidedAt: at(3) }), asked("a2", { createdAt: at(2) })];
    expect(idsOf(groupApprovals(all))).toEqual(["a1 a2"]);
  });
});
