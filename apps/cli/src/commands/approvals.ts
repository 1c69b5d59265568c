import type { Client } from "@bron/client";
import { isAsking, toolLabel, type ApprovalBackground, type ApprovalView } from "@bron/protocol";
import { findGroup, groupsOf, isGroupId, shortGroupId } from "../approval-groups.ts";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { findApproval } from "../find-by-id.ts";
import { reachRuntime } from "../reach-runtime.ts";
import { approvalStateWords, describeApproval } from "../render/approval.ts";
import { approvalLine } from "../render/approval-line.ts";
import { describeBackground } from "../render/background.ts";
import { describeGroup, groupTitle } from "../render/approval-group.ts";
import { shortId } from "../render/short-id.ts";
import { truncate } from "../render/table.ts";
import { ago, until } from "../render/time.ts";
import { wrapAll } from "../render/wrap.ts";
import { json, line, paint } from "../terminal.ts";

export async function listApprovals(
  context: CommandContext,
  options: { readonly all?: boolean; readonly json?: boolean },
): Promise<ExitCode> {
  const { terminal } = context;
  const all = options.all === true;
  const found = await reachRuntime(
    context,
    { work: "none" },
    async ({ client }) =>
      await client.list("GET /api/approvals", { pending: all ? "false" : "true" }),
  );
  const now = terminal.now().getTime();
  const approvals = all ? found : found.filter((approval) => isAsking(approval, now));
  const snoozed = found.length - approvals.length;
  if (options.json === true) json(terminal, { approvals: found });
  else if (approvals.length === 0 && snoozed === 0)
    line(
      terminal,
      all
        ? "No approvals yet. Bron asks for one before it sends or changes something."
        : "No pending approvals.",
    );
  else {
    if (approvals.length > 0)
      for (const text of listing(approvals, all, context)) line(terminal, text);
    if (snoozed > 0) line(terminal, `${snoozed} snoozed. Show them: bron approvals list --all`);
  }
  return 0;
}

/** Two lines each: who gets what, then what happens when. */
function listing(
  approvals: readonly ApprovalView[],
  all: boolean,
  { terminal }: CommandContext,
): string[] {
  const now = terminal.now();
  const fit = (text: string) => truncate(text, terminal.columns);
  const linesOf = (approval: ApprovalView, indent = "") => {
    const { id, runId, tool, state, createdAt, expiresAt } = approval;
    const when = all
      ? [approvalStateWords[state], ago(createdAt, now)]
      : [`expires ${until(expiresAt, now)}`];
    const details = [`run ${shortId(runId)}`, ...when, toolLabel(tool)];
    return [
      fit(`${indent}${shortId(id)}  ${approvalLine(approval)}`),
      paint(terminal, "dim", fit(`${indent}${" ".repeat(10)}${details.join(" · ")}`)),
    ];
  };
  if (all) return approvals.flatMap((approval) => linesOf(approval));
  return groupsOf(approvals).flatMap((group) =>
    group.length === 1
      ? linesOf(group[0])
      : [
          fit(`${shortGroupId(group)}  ${groupTitle(group)}`),
          ...group.flatMap((approval) => linesOf(approval, "  ")),
        ],
  );
}

export async function showApproval(
  context: CommandContext,
  id: string,
  options: { readonly json?: boolean; readonly verbose?: boolean },
): Promise<ExitCode> {
  const { terminal } = context;
  const how = {
    now: terminal.now(),
    calledAs: terminal.calledAs,
    isVerbose: options.verbose === true,
  };
  if (isGroupId(id)) {
    const group = await reachRuntime(
      context,
      { work: "none" },
      async ({ client }) => await findGroup(client, id),
    );
    if (options.json === true) json(terminal, { approvals: group });
    else
      for (const text of wrapAll(describeGroup(group, how), terminal.columns)) line(terminal, text);
    return 0;
  }
  const { approval, background } = await reachRuntime(
    context,
    // The background is read from the account, which needs the tools.
    { work: "none", withOutside: true },
    async ({ client }) => {
      const found = await findApproval(client, id);
      return { approval: found, background: await readBackground(client, found) };
    },
  );
  if (options.json === true) json(terminal, { approval, background });
  else {
    const shown = [...describeApproval(approval, how), ...describeBackground(background)];
    for (const text of wrapAll(shown, terminal.columns)) line(terminal, text);
  }
  return 0;
}

/** What helps to decide. An approval is shown without it if it cannot be read. */
async function readBackground(
  client: Client,
  { id, state }: ApprovalView,
): Promise<ApprovalBackground | null> {
  if (state !== "pending") return null;
  return await client
    .call("GET /api/approvals/:id/background", { params: { id } })
    .then(({ background }) => background)
    .catch(() => null);
}
