import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { findApproval } from "../find-by-id.ts";
import { reachRuntime } from "../reach-runtime.ts";
import { shortId } from "../render/short-id.ts";
import { json, line } from "../terminal.ts";

/** Undoes an approval or a denial in time. Asks no question, because undoing sends nothing. */
export async function undoApproval(
  context: CommandContext,
  id: string,
  options: { readonly json?: boolean },
): Promise<ExitCode> {
  const { terminal } = context;
  const approval = await reachRuntime(
    context,
    { work: "none" },
    async ({ client }) =>
      await client.call("POST /api/approvals/:id/undo", {
        params: { id: (await findApproval(client, id, "undo")).id },
      }),
  );
  if (options.json === true) json(terminal, { approval });
  else
    line(
      terminal,
      approval.state === "pending"
        ? `Denial undone. Approval ${shortId(approval.id)} is pending again.`
        : `Approval ${shortId(approval.id)} undone. Nothing was sent.`,
    );
  return 0;
}
