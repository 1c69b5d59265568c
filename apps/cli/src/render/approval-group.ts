import { shortGroupId, type ApprovalGroup } from "../approval-groups.ts";
import { describeApproval, describeWhat, type ApprovalOptions } from "./approval.ts";
import { shortId } from "./short-id.ts";
import { fields } from "./table.ts";
import { describeMany } from "./tool-words.ts";

/** "Send 3 emails" */
export function groupTitle(group: ApprovalGroup): string {
  const many = describeMany(group.map(({ tool }) => tool));
  return `${many.charAt(0).toUpperCase()}${many.slice(1)}`;
}

/** What each approval of a group asks, with its number. */
export function describeItems(
  group: ApprovalGroup,
  options: Pick<ApprovalOptions, "calledAs" | "isVerbose">,
): string[] {
  return [
    `${groupTitle(group)}:`,
    ...group.flatMap((approval, at) => [
      "",
      `${at + 1} of ${group.length} (${shortId(approval.id)})`,
      ...describeWhat(approval, options),
    ]),
    "",
  ];
}

/** A group in full. */
export function describeGroup(group: ApprovalGroup, options: ApprovalOptions): string[] {
  const id = shortGroupId(group);
  return [
    `${groupTitle(group)}:`,
    ...group.flatMap((approval, at) => [
      "",
      `${at + 1} of ${group.length}`,
      ...describeApproval(approval, options),
    ]),
    "",
    ...fields([
      ["Approve all", `${options.calledAs} approvals approve ${id}`],
      ["Deny all", `${options.calledAs} approvals deny ${id}`],
    ]),
  ];
}
