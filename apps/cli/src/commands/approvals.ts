import type { ApprovalView } from "@bron/protocol";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { findApproval } from "../find-by-id.ts";
import { reachRuntime } from "../reach-runtime.ts";
import { describeApproval } from "../render/approval.ts";
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
  const rows = approvals.map((approval) => {
    const { id, runId, tool, state, preview, createdAt, expiresAt } = approval;
    const when = all ? [state, ago(createdAt, now)] : [until(expiresAt, now)];
    return [shortId(id), shortId(runId), tool, ...when, oneLine(preview)];
  });
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
  const approval = await reachRuntime(
    context,
    { work: "none" },
    async ({ client }) => await findApproval(client, id),
  );
  if (options.json === true) json(terminal, { approval });
  else for (const text of describeApproval(approval, terminal.now())) line(terminal, text);
  return 0;
}
