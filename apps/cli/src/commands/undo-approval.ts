import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { findApproval } from "../find-by-id.ts";
import { reachRuntime } from "../reach-runtime.ts";
import { shortId } from "../render/short-id.ts";
import { json, line } from "../terminal.ts";

/** Takes an approval back while it may not begin yet. Needs no question: nothing happens by it. */
export async function undoApproval(
  context: CommandContext,
  id: string,
  options: { readonly json?: boolean },
): Promise<ExitCode> {
  const { terminal } = context;
  const approval = await reachRuntime(
    context,
    { work: "none" },
    async ({ runtime }) => await runtime.approvals.undo((await findApproval(runtime, id)).id),
  );
  if (options.json === true) json(terminal, { approval });
  else
    line(terminal, `Taken back: approval ${shortId(approval.id)} is denied, and nothing is done.`);
  return 0;
}
