import type { Client } from "@bron/client";
import { BronError } from "@bron/core";
import { groupApprovals, type ApprovalView } from "@bron/protocol";
import { shortId } from "./render/short-id.ts";

/** Pending approvals that are decided together, oldest first. */
export type ApprovalGroup = readonly [ApprovalView, ...ApprovalView[]];

/** Each approval that is decided alone is a group of one. */
export function groupsOf(pending: readonly ApprovalView[]): ApprovalGroup[] {
  return groupApprovals(pending).flatMap(([first, ...others]) =>
    first ? [[first, ...others] as const] : [],
  );
}

/** "3f9a1c20:2:mail" for a group of several, or else the short id of the approval. */
export function shortGroupId([first, ...others]: ApprovalGroup): string {
  if (first.group === null || others.length === 0) return shortId(first.id);
  return `${shortId(first.runId)}${first.group.slice(first.runId.length)}`;
}

/** Whether this is the id of a group and not of an approval. */
export function isGroupId(id: string): boolean {
  return id.includes(":");
}

/** Finds the pending approvals of a group. Throws not_found. */
export async function findGroup(client: Client, id: string): Promise<ApprovalGroup> {
  const pending = await client.list("GET /api/approvals", { pending: "true" });
  const found = groupsOf(pending).find(
    (group) => group[0].group === id || shortGroupId(group) === id,
  );
  if (!found)
    throw new BronError("not_found", `No pending approvals with the ID ${id}.`, {
      details: { hint: "List them with: bron approvals list" },
    });
  return found;
}
