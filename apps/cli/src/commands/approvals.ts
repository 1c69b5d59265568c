import type { ApprovalView } from "@bron/protocol";
import {
  findGroup,
  groupsOf,
  isGroupId,
  shortGroupId,
  type ApprovalGroup,
} from "../approval-groups.ts";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { findApproval } from "../find-by-id.ts";
import { reachRuntime } from "../reach-runtime.ts";
import { describeApproval } from "../render/approval.ts";
import { describeGroup, groupTitle } from "../render/approval-group.ts";
import { shortId } from "../render/short-id.ts";
import { table } from "../render/table.ts";
import { ago, until } from "../render/time.ts";
import { oneLine } from "../render/visible.ts";
import { json, line } from "../terminal.ts";

export async function listApprovals(
  context: CommandContext,
  options: { readonly all?: boolean; readonly json?: boolean },
): Promise<ExitCode> {
  const { terminal } = context;
  const all = options.all === true;
  const approvals = await reachRuntime(
    context,
    { work: "none" },
    async ({ client }) =>
      await client.list("GET /api/approvals", { pending: all ? "false" : "true" }),
  );
  if (options.json === true) json(terminal, { approvals });
  else if (approvals.length === 0)
    line(
      terminal,
      all
        ? "No approvals yet. Bron asks for one before it sends or changes something."
        : "No pending approvals.",
    );
  else for (const text of listing(approvals, all, context)) line(terminal, text);
  return 0;
}

function listing(
  approvals: readonly ApprovalView[],
  all: boolean,
  { terminal }: CommandContext,
): string[] {
  const now = terminal.now();
  const row = (approval: ApprovalView, number?: number) => {
    const { id, runId, tool, state, preview, createdAt, expiresAt } = approval;
    const when = all ? [state, ago(createdAt, now)] : [until(expiresAt, now)];
    const place = number === undefined ? "" : `${number}. `;
    const indent = number === undefined ? "" : "  ";
    return [`${indent}${shortId(id)}`, shortId(runId), tool, ...when, place + oneLine(preview)];
  };
  const groupRows = (group: ApprovalGroup) => {
    const [first, ...others] = group;
    if (others.length === 0) return [row(first)];
    const expiresAt = group.map((one) => one.expiresAt).toSorted()[0] ?? first.expiresAt;
    const when = until(expiresAt, now);
    const head = [shortGroupId(group), shortId(first.runId), "", when, groupTitle(group)];
    return [head, ...group.map((approval, at) => row(approval, at + 1))];
  };
  const rows = all ? approvals.map((one) => row(one)) : groupsOf(approvals).flatMap(groupRows);
  return table(
    ["ID", "RUN", "TOOL", ...(all ? ["STATE", "ASKED"] : ["EXPIRES"]), "WHAT"],
    rows,
    terminal.columns,
  );
}

export async function showApproval(
  context: CommandContext,
  id: string,
  options: { readonly json?: boolean },
): Promise<ExitCode> {
  const { terminal } = context;
  const now = terminal.now();
  if (isGroupId(id)) {
    const group = await reachRuntime(
      context,
      { work: "none" },
      async ({ client }) => await findGroup(client, id),
    );
    if (options.json === true) json(terminal, { approvals: group });
    else for (const text of describeGroup(group, now)) line(terminal, text);
    return 0;
  }
  const approval = await reachRuntime(
    context,
    { work: "none" },
    async ({ client }) => await findApproval(client, id),
  );
  if (options.json === true) json(terminal, { approval });
  else for (const text of describeApproval(approval, now)) line(terminal, text);
  return 0;
}
