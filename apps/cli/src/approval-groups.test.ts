import { createClient, type Transport } from "@bron/client";
import type { ApprovalView } from "@bron/protocol";
import { expect, test } from "vitest";
import { findGroup, groupsOf, isGroupId, shortGroupId } from "./approval-groups.ts";
import { readNumbers } from "./commands/decide-group.ts";
import { groupTitle } from "./render/approval-group.ts";

const runId = "9f8e7d6c-1111-4222-8333-444455556666";

function asked(id: string, more: Partial<ApprovalView> = {}): ApprovalView {
  return {
    id: `${id.repeat(8)}-1111-4222-8333-444455556666`,
    actionId: id,
    runId,
    tool: "gmail_send",
    group: `${runId}:2:mail`,
    createdAt: "2026-11-18T12:00:00.000Z",
    decidedAt: null,
    ...more,
  } as ApprovalView;
}

const pending = [asked("a"), asked("b", { tool: "gmail_reply" }), asked("c", { group: null })];

test("X3 names a group by its run, step and kind, and a single approval by its own ID", () => {
  expect(groupsOf(pending).map(shortGroupId)).toEqual(["9f8e7d6c:2:mail", "cccccccc"]);
  expect(groupsOf([asked("a")]).map(shortGroupId)).toEqual(["aaaaaaaa"]);
  expect(["9f8e7d6c:2:mail", "aaaaaaaa"].map(isGroupId)).toEqual([true, false]);
});

test("X3 says what a group does", () => {
  const title = (...approvals: ApprovalView[]) => groupsOf(approvals).map(groupTitle);
  expect(title(asked("a"), asked("b", { tool: "gmail_reply" }))).toEqual(["Send 2 emails"]);
  expect(title(asked("a"), asked("b", { tool: "gmail_draft_create" }))).toEqual(["Make 2 changes"]);
  expect(title(asked("a", { tool: "web_fetch" }))).toEqual(["Open 1 page"]);
  expect(title(asked("a", { tool: "crm_add" }))).toEqual(["Make 1 change"]);
});

test("X3 finds a group by its short or full ID", async () => {
  const call = async () => ({ approvals: pending, next: null });
  const client = createClient({ transport: { call } as unknown as Transport });
  for (const id of ["9f8e7d6c:2:mail", `${runId}:2:mail`])
    expect((await findGroup(client, id)).map(({ actionId }) => actionId)).toEqual(["a", "b"]);
  await expect(findGroup(client, "9f8e7d6c:3:mail")).rejects.toMatchObject({ code: "not_found" });
});

test.each<[text: string, numbers: number[] | undefined]>([
  ["2", [2]],
  ["2,3", [2, 3]],
  ["3 2, 3", [3, 2]],
  ["1,2,3", undefined],
  ["4", undefined],
  ["0", undefined],
  ["no", undefined],
  ["", undefined],
  ["2,", undefined],
])("X3 reads %j as numbers to leave out of three", (text, numbers) => {
  expect(readNumbers(text, 3)).toEqual(numbers);
});
